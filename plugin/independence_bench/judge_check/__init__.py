"""The judge check: a judge reads conversations whose side of the pass mark is known, and its errors are counted.

Its tasks are in ``engine/check_tasks.py``, its text in ``report/views/check_text.py``; they meet only in the command.
"""
