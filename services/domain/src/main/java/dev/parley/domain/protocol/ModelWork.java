package dev.parley.domain.protocol;

/** What stands on {@code model-requests}. */
public sealed interface ModelWork permits ModelRequest, CancelCall {}
