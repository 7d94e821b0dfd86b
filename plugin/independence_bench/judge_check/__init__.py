"""The judge check; its tasks are in ``engine/check_tasks.py``, its text in ``report/views/check_text.py``."""
