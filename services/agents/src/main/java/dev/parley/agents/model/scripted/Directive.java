package dev.parley.agents.model.scripted;

import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.Usage;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One line of a script, as {@code docs/scripted-model.md} describes it. */
sealed interface Directive {
    /** Says this. */
    record Say(String text) implements Directive {}

    /** Says so many words in this time. */
    record Stream(int words, Duration over) implements Directive {}

    /** Thinks this before it goes on. */
    record Think(String text) implements Directive {}

    /** Waits. */
    record Delay(Duration duration) implements Directive {}

    /** Calls a tool. {@code $n} in the arguments is the number of the step. */
    record Call(String tool, String arguments) implements Directive {}

    /** Calls a tool in every step, as long as there are tools. */
    record Loop(String tool, String arguments) implements Directive {}

    /** Fails the first {@code times} attempts. */
    record Fail(ErrorCategory category, int times, @Nullable Duration retryAfter) implements Directive {}

    /** Ends with this reason. */
    record Finish(FinishReason reason) implements Directive {}

    /** An item that nobody knows. */
    record Raw(String json) implements Directive {}

    /** Reports this usage. */
    record Report(Usage usage) implements Directive {}

    /** Says nothing at all. */
    record Empty() implements Directive {}
}
