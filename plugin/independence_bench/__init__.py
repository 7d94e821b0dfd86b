"""independence-bench: how far does a chat model keep a self of its own?"""

__version__ = "0.1.0"
