package dev.parley.agents.model.scripted;

import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.Usage;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A directive of a script, documented in {@code docs/scripted-model.md}. */
sealed interface Directive {
    /** Answers with this text. */
    record Say(String text) implements Directive {}

    /** Streams a number of words over a time. */
    record Stream(int words, Duration over) implements Directive {}

    /** Emits this reasoning. */
    record Think(String text) implements Directive {}

    /** Waits. */
    record Delay(Duration duration) implements Directive {}

    /** Calls a tool. {@code $n} in the arguments is the number of the step. */
    record Call(String tool, String arguments) implements Directive {}

    /** Calls a tool in every step while tools are offered. */
    record Loop(String tool, String arguments) implements Directive {}

    /** Fails the first {@code times} attempts. */
    record Fail(ErrorCategory category, int times, @Nullable Duration retryAfter) implements Directive {}

    /** Ends with this reason. */
    record Finish(FinishReason reason) implements Directive {}

    /** Emits an item of an unknown type. */
    record Raw(String json) implements Directive {}

    /** Reports this usage. */
    record Report(Usage usage) implements Directive {}

    /** Answers with nothing. */
    record Empty() implements Directive {}
}
