"""How embedded models answer interviews: as a person with values, and in small talk."""

from independence_bench.kinds.roles.embedded.roleplay import in_role

EMBEDDED = in_role
