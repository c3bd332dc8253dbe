package dev.parley.agents.model;

import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.ErrorCategory;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The failure of a model call. */
public sealed class ModelFailure extends Exception permits CallDeferred {
    private final ErrorCategory category;
    private final transient @Nullable Duration retryAfter;
    private final transient List<Block> partial;

    /**
     * @param detail the provider's message without secrets, for operators
     * @param retryAfter the delay that the provider demands, or null
     * @param partial the content so far; where it is empty, the streamed text is used
     */
    public ModelFailure(ErrorCategory category, String detail, @Nullable Duration retryAfter, List<Block> partial) {
        super(detail);
        this.category = category;
        this.retryAfter = retryAfter;
        this.partial = List.copyOf(partial);
    }

    /** A failure without further details. */
    public ModelFailure(ErrorCategory category, String detail) {
        this(category, detail, null, List.of());
    }

    /**
     * A failure without further details.
     *
     * @param cause the exception behind it; it quotes neither a key nor the provider's answer
     */
    public ModelFailure(ErrorCategory category, String detail, @Nullable Throwable cause) {
        super(detail, cause);
        this.category = category;
        this.retryAfter = null;
        this.partial = List.of();
    }

    public ErrorCategory category() {
        return category;
    }

    /** The message for operators. */
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
