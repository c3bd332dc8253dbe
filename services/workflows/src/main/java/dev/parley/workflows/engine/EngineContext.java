package dev.parley.workflows.engine;

import java.time.Instant;

/** What a decision may know of the world. @param version of Parley, for {@code $runtime} */
public record EngineContext(Instant now, String version) {}
