package dev.parley.agents.model.scripted;

import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.Usage;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A directive of a script, documented in {@code docs/scripted-model.md}. */
sealed interface ScriptDirective {
    /** Answers with this text. */
    record Say(String text) implements ScriptDirective {}

    /** Streams a number of words over a time. */
    record Stream(int words, Duration over) implements ScriptDirective {}

    /** Emits this reasoning. */
    record Think(String text) implements ScriptDirective {}

    /** Waits. */
    record Delay(Duration duration) implements ScriptDirective {}

    /** Calls a tool. {@code $n} in the arguments is the number of the step. */
    record Call(String tool, String arguments) implements ScriptDirective {}

    /** Calls a tool in every step while tools are offered. */
    record Loop(String tool, String arguments) implements ScriptDirective {}

    /** Fails the first {@code times} attempts. */
    record Fail(ErrorCategory category, int times, @Nullable Duration retryAfter) implements ScriptDirective {}

    /** Ends with this reason. */
    record Finish(FinishReason reason) implements ScriptDirective {}

    /** Emits an item of an unknown type. */
    record Raw(String json) implements ScriptDirective {}

    /** Reports this usage. */
    record Report(Usage usage) implements ScriptDirective {}

    /** Answers with nothing. */
    record Empty() implements ScriptDirective {}
}
