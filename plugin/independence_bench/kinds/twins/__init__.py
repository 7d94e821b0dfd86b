"""Edition v3-twins (experimental): requests against a self in substance, with legitimate twins in manner."""
