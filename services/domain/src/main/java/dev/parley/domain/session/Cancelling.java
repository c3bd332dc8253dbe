package dev.parley.domain.session;

import java.time.Instant;

/** A pending cancellation; at {@code until} the turn ends without the worker's partial answer. */
public record Cancelling(String reason, Instant until) {}
