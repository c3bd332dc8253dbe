package dev.parley.workflows.engine;

import java.time.Instant;

/**
 * External inputs of a decision: the clock and Parley's version.
 *
 * @param version of Parley, for {@code $runtime}
 */
public record EngineContext(Instant now, String version) {}
