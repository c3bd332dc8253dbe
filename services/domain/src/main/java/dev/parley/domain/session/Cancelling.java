package dev.parley.domain.session;

import java.time.Instant;

/** A turn that is being cancelled; after {@code until} it ends without the worker's last words. */
public record Cancelling(String reason, Instant until) {}
