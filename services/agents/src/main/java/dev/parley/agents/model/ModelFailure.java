package dev.parley.agents.model;

import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.ErrorCategory;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A model call without an answer. */
public sealed class ModelFailure extends Exception permits CallDeferred {
    private final ErrorCategory category;
    private final transient @Nullable Duration retryAfter;
    private final transient List<Block> partial;

    /**
     * @param detail for operators: what the provider said, without secrets
     * @param retryAfter how long the provider wants to be left alone, or null
     * @param partial what the model had said; where it is empty, what was streamed counts
     */
    public ModelFailure(ErrorCategory category, String detail, @Nullable Duration retryAfter, List<Block> partial) {
        super(detail);
        this.category = category;
        this.retryAfter = retryAfter;
        this.partial = List.copyOf(partial);
    }

    /** A failure of which no more is known. */
    public ModelFailure(ErrorCategory category, String detail) {
        this(category, detail, null, List.of());
    }

    public ErrorCategory category() {
        return category;
    }

    /** For operators. */
    public String detail() {
        String message = getMessage();
        return message == null ? category.code() : message;
    }

    public @Nullable Duration retryAfter() {
        return retryAfter;
    }

    public List<Block> partial() {
        return partial;
    }
}
