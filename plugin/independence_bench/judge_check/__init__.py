"""The judge check: a judge reads conversations whose side of the pass mark is known, and its errors are counted.

Asking (``check_tasks``) and showing (``outcome``, ``check_text``, ``checked_judges``) meet only in the command.
"""
