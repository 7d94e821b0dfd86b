"""What each chunk of data holds. Its keys are places in the view's lists, so that no foreign text is ever a key."""
