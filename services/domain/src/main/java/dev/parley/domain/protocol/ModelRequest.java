package dev.parley.domain.protocol;

import dev.parley.domain.content.Message;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.ToolChoice;
import dev.parley.domain.definition.ToolDigest;
import dev.parley.domain.definition.ToolSpec;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One model call. Self-contained, except that tools may be given by digests that the worker resolves.
 *
 * @param purpose use of the answer
 * @param summary replaces the turns before {@code messages}, or null
 * @param memory recalled memories, inserted before the newest message as untrusted context, or null
 * @param tools shown to the model
 * @param toolDigests references to tools that are not in {@code tools}, in the order of their places
 * @param toolsAllowed whether the model may call tools now; they are always sent, because providers cache the prompt's
 *     prefix and bind reasoning to it
 * @param leaseUntil a worker that claims the call later drops it: it has been retried
 * @param deadline time after which the answer is no longer needed
 */
@RecordBuilder
public record ModelRequest(
        UUID callId,
        UUID host,
        UUID sessionId,
        @Nullable UUID turnId,
        int step,
        int attempt,
        Purpose purpose,
        Agent agent,
        @Nullable String summary,
        List<Message> messages,
        @Nullable String memory,
        List<ToolSpec> tools,
        List<ToolDigest> toolDigests,
        boolean toolsAllowed,
        @Nullable String user,
        Instant leaseUntil,
        Instant deadline)
        implements ModelWork, ModelRequestBuilder.With {
    public ModelRequest {
        messages = List.copyOf(messages);
        tools = List.copyOf(tools);
        toolDigests = List.copyOf(toolDigests);
    }

    /** Approximate size in bytes; strings count one per character. */
    public int weight() {
        int texts = agent.prompt().length()
                + (summary == null ? 0 : summary.length())
                + (memory == null ? 0 : memory.length());
        return texts
                + messages.stream().mapToInt(Message::weight).sum()
                + tools.stream().mapToInt(ToolSpec::weight).sum();
    }

    /** The tool choice; {@link ToolChoice#AUTO} instead of a tool that is not shown. */
    public ToolChoice toolChoice() {
        if (!toolsAllowed) {
            return ToolChoice.NONE;
        }
        return switch (step == 0 ? agent.toolChoice() : ToolChoice.AUTO) {
            case ToolChoice.Named named
            when tools.stream().noneMatch(tool -> tool.name().equals(named.tool())) -> ToolChoice.AUTO;
            case ToolChoice choice -> choice;
        };
    }

    /** This call with messages that name no provider or model, so that none treats them as its own. */
    public ModelRequest withoutProviders() {
        return withMessages(messages.stream()
                .map(message -> new Message(message.role(), message.blocks(), message.interrupted(), null, null))
                .toList());
    }

    /** This call with other tools or other references to them. */
    public ModelRequest withTools(List<ToolSpec> specs, List<ToolDigest> digests) {
        return with().tools(specs).toolDigests(digests).build();
    }

    /** Use of a model's answer. */
    public enum Purpose {
        REPLY,
        SUMMARY,
        /** Transcripts of the recordings in the messages: one text each, in their order. */
        TRANSCRIPT,
        /** Fact extraction, consolidation or reflection of a memory bank. */
        MEMORY
    }
}
