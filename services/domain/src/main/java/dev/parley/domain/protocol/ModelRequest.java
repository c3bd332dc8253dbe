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
 * One model call. It is complete, but for tools that a worker can look up: they may be there by their digests.
 *
 * @param purpose what the answer is for
 * @param summary what stands for the turns before {@code messages}, or null
 * @param memory what is remembered of what the newest message is about, to be shown before it, or null; nobody has to believe it
 * @param tools the tools that the model is shown
 * @param toolDigests those of them that are not in {@code tools}, in the order of their places
 * @param toolsAllowed whether it may call them now; they are shown all the same, because providers cache what comes first
 *     and bind reasoning to it
 * @param leaseUntil a worker that takes the call up after this moment drops it: it has been asked again
 * @param deadline when the answer is of no use any more
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

    /** About how many characters it has. */
    public int weight() {
        int texts = agent.prompt().length()
                + (summary == null ? 0 : summary.length())
                + (memory == null ? 0 : memory.length());
        return texts
                + messages.stream().mapToInt(Message::weight).sum()
                + tools.stream().mapToInt(ToolSpec::weight).sum();
    }

    /** What the model is to do with the tools. One that is not shown cannot be called. */
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

    /** The same call with a conversation of which no model is told that it is its own. */
    public ModelRequest carriedOver() {
        return withMessages(messages.stream()
                .map(message -> new Message(message.role(), message.blocks(), message.interrupted(), null, null))
                .toList());
    }

    /** The same call with other tools, or with them in another form. */
    public ModelRequest withTools(List<ToolSpec> specs, List<ToolDigest> digests) {
        return with().tools(specs).toolDigests(digests).build();
    }

    /** What a model's answer is for. */
    public enum Purpose {
        REPLY,
        SUMMARY,
        /** What is said in the recordings of the messages: one text for each, in their order. */
        TRANSCRIPT,
        /** What a bank of memory makes of a text, as JSON; or what it answers to a question. */
        MEMORY
    }
}
