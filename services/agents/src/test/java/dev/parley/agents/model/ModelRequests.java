package dev.parley.agents.model;

import dev.parley.domain.Ids;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.Role;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.ToolEffect;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.ModelRequest.Purpose;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A conversation, and the model requests that the turn machine would make of it. */
public final class ModelRequests {
    private final UUID session = UUID.randomUUID();
    private final List<Message> messages = new ArrayList<>();
    private final Instant now = Instant.now();
    private List<ToolSpec> tools = List.of();
    private Agent agent = Agent.of("default", "scripted", "m", "");
    private boolean toolsAllowed = true;
    private @Nullable String summary;
    private int attempt = 1;
    private Duration timeout = Duration.ofMinutes(5);

    public ModelRequests user(String text) {
        return message(Message.text(Role.USER, text));
    }

    public ModelRequests assistant(List<Block> blocks) {
        return message(new Message(Role.ASSISTANT, blocks, false, "scripted", "m"));
    }

    /** Adds the answer of a provider's model. */
    public ModelRequests answered(String provider, ModelAnswer answer) {
        return message(new Message(Role.ASSISTANT, answer.blocks(), false, provider, answer.model()));
    }

    /** Adds the results of an answer's tool calls, in their order. */
    public ModelRequests results(List<Block> answer, String... contents) {
        List<Block.ToolCall> calls = Message.toolCalls(answer);
        for (int i = 0; i < calls.size(); i++) {
            message(Message.toolResult(calls.get(i).id(), contents[i], false));
        }
        return this;
    }

    public ModelRequests message(Message message) {
        messages.add(message);
        return this;
    }

    public ModelRequests tools(String... names) {
        tools = Arrays.stream(names)
                .map(name ->
                        new ToolSpec(name, "", "{\"type\":\"object\"}", ToolEffect.IDEMPOTENT, Duration.ofMinutes(1)))
                .toList();
        return this;
    }

    public ModelRequests attempt(int number) {
        attempt = number;
        return this;
    }

    public ModelRequests provider(String name) {
        agent = Agent.of("default", name, "m", "");
        return this;
    }

    public ModelRequests agent(Agent other) {
        agent = other;
        return this;
    }

    public ModelRequests toolsNotAllowed() {
        toolsAllowed = false;
        return this;
    }

    public ModelRequests timeout(Duration duration) {
        timeout = duration;
        return this;
    }

    public void startOverWith(String newSummary) {
        summary = newSummary;
        messages.clear();
    }

    public ModelRequest request() {
        return request(Purpose.REPLY);
    }

    public ModelRequest summaryRequest() {
        return request(Purpose.SUMMARY);
    }

    private ModelRequest request(Purpose purpose) {
        int step = (int) messages.stream()
                .filter(message -> message.role() == Role.ASSISTANT)
                .count();
        UUID turn = Ids.of(
                "turn",
                session,
                messages.stream().filter(message -> message.role() == Role.USER).count());
        Instant start = Instant.now().isAfter(now) ? Instant.now() : now;
        return new ModelRequest(
                Ids.of("model", turn, step),
                UUID.randomUUID(),
                session,
                purpose == Purpose.SUMMARY ? null : turn,
                step,
                attempt,
                purpose,
                agent,
                summary,
                messages,
                null,
                tools,
                List.of(),
                toolsAllowed && purpose == Purpose.REPLY,
                null,
                start.plusSeconds(60),
                start.plus(timeout));
    }
}
