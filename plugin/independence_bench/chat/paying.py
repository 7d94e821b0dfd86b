"""What calls are reserved and charged: sizes × prices, checked against the budget. Knows no HTTP and no trial."""

from dataclasses import dataclass

from independence_bench.chat.budget import Budget, CallReservation
from independence_bench.chat.failures import BudgetSpent
from independence_bench.chat.prices import Price, charge_of, price_of
from independence_bench.chat.request import ChatRequest
from independence_bench.chat.sizes import most_prompt_tokens
from independence_bench.spec import Model
from independence_bench.trial import Usage


@dataclass(frozen=True, slots=True)
class Payments:
    """A budget and the prices by which it is used."""

    budget: Budget
    assumed: Price | None = None  # price of models and judges that have none

    def knows(self, model: Model) -> bool:
        """Whether there is a price for a model."""
        return price_of(model, self.assumed) is not None

    def price(self, model: Model) -> Price:
        """Return a model's price, which sessions with a budget ensure. Raises BudgetSpent: there is none."""
        price = price_of(model, self.assumed)
        if price is None:
            raise BudgetSpent(f"the price of {model.label} is not known")
        return price

    def most(self, request: ChatRequest) -> float:
        """Return the US dollars that a request may cost at most. Raises BudgetSpent: its price is not known."""
        return self.price(request.model).of(most_prompt_tokens(request), request.model.max_tokens)

    def settle(self, paid: CallReservation, request: ChatRequest, usage: Usage | None, unbilled: bool) -> None:
        """Settle a request; ``usage`` None: no answer came; ``unbilled``: free unless the server says otherwise."""
        cost = charge_of(usage, self.price(request.model), most_prompt_tokens(request), request.model.max_tokens)
        self.budget.settle(paid, 0.0 if cost is None and unbilled else cost)
