package dev.parley.control.definitions;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A tool, a skill or an endpoint over HTTP. What only the server says of it is ignored where it comes in. */
public sealed interface Entry permits ToolJson, SkillJson, EndpointJson {
    /** Its name. */
    @Nullable
    String name();

    /** Which one of its name. */
    @Nullable
    String version();

    /** Whether it can be used. */
    @Nullable
    Boolean enabled();

    /** What it is found by. */
    String words();

    /** Without what only those may know who define it. */
    Entry fromOutside();

    /** With what only the server says of it, null for what is not to be said. */
    Entry told(@Nullable String source, @Nullable Instant updatedAt);
}
