package dev.parley.agents.model.chat;

import dev.parley.agents.model.ModelRequests;
import dev.parley.agents.model.ModelStream;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.ProviderItem;
import dev.parley.domain.content.Role;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.ThinkingLevel;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.platform.config.ProviderConfig;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A conversation with a server; records what is streamed. */
final class ChatTalk implements ModelStream {
    static final String PROVIDER = "here";

    final ModelRequests requests = new ModelRequests();
    final StringBuilder text = new StringBuilder();
    final StringBuilder reasoning = new StringBuilder();
    final StringBuilder arguments = new StringBuilder();
    private final Map<String, String> options = new HashMap<>();
    private String model = "m";
    private String prompt = "";
    private @Nullable Double temperature;
    private @Nullable Integer maxTokens;
    private ThinkingLevel thinking = ThinkingLevel.NONE;
    private boolean toolsAllowed = true;

    ChatTalk model(String name) {
        model = name;
        return this;
    }

    ChatTalk prompt(String task) {
        prompt = task;
        return this;
    }

    ChatTalk option(String name, String value) {
        options.put(name, value);
        return this;
    }

    ChatTalk temperature(double value) {
        temperature = value;
        return this;
    }

    ChatTalk maxTokens(int value) {
        maxTokens = value;
        return this;
    }

    ChatTalk thinking(ThinkingLevel level) {
        thinking = level;
        return this;
    }

    ChatTalk toolsForbidden() {
        toolsAllowed = false;
        return this;
    }

    ChatTalk user(String text) {
        requests.user(text);
        return this;
    }

    /** Adds an earlier message of the requested model. */
    ChatTalk own(Block... blocks) {
        requests.message(new Message(Role.ASSISTANT, List.of(blocks), false, PROVIDER, model));
        return this;
    }

    /** Adds an earlier message of another provider's model. */
    ChatTalk foreign(Block... blocks) {
        requests.message(new Message(Role.ASSISTANT, List.of(blocks), false, "anthropic", "claude"));
        return this;
    }

    ChatTalk result(String id, String content) {
        requests.message(Message.toolResult(id, content, false));
        return this;
    }

    ModelRequest request() {
        return with(requests.provider(PROVIDER).request());
    }

    ModelRequest summaryRequest() {
        return with(requests.provider(PROVIDER).summaryRequest());
    }

    private ModelRequest with(ModelRequest r) {
        Agent a = r.agent();
        var agent = new Agent(
                null,
                a.name(),
                "",
                "",
                a.mode(),
                false,
                PROVIDER,
                model,
                null,
                prompt,
                List.of(),
                List.of(),
                temperature,
                null,
                maxTokens,
                thinking,
                a.limits(),
                options,
                List.of());
        return new ModelRequest(
                r.callId(),
                r.host(),
                r.sessionId(),
                r.turnId(),
                r.step(),
                r.attempt(),
                r.purpose(),
                agent,
                r.summary(),
                r.messages(),
                null,
                r.tools(),
                List.of(),
                r.toolsAllowed() && toolsAllowed,
                r.user(),
                r.leaseUntil(),
                r.deadline());
    }

    /** The quirks of a server of this kind. */
    static ServerQuirks quirks(String server) {
        return ServerQuirks.of(config(URI.create("http://127.0.0.1:1"), null, Map.of("server", server)));
    }

    static ProviderConfig config(URI url, @Nullable String key, Map<String, String> options) {
        return new ProviderConfig(
                PROVIDER, "openai-chat", url, key, Map.of(), null, ProviderConfig.Timeouts.DEFAULT, null, options);
    }

    static ProviderItem item(String type, String json) {
        return new ProviderItem(PROVIDER, type, json);
    }

    /** A call as this provider's model made it. */
    static Block.ToolCall call(String id, String arguments, String json) {
        return new Block.ToolCall(id, "t", arguments, item("function", json));
    }

    @Override
    public void text(String piece) {
        text.append(requireWhole(piece));
    }

    @Override
    public void reasoning(String piece) {
        reasoning.append(requireWhole(piece));
    }

    @Override
    public void toolArguments(String toolCallId, String toolName, String piece) {
        arguments.append(requireWhole(piece));
    }

    /** Halves of surrogate pairs are never streamed. */
    private static String requireWhole(String piece) {
        if (piece.isEmpty() || piece.codePoints().anyMatch(c -> c >= 0xD800 && c <= 0xDFFF)) {
            throw new AssertionError("half a pair, or nothing: " + piece.length());
        }
        return piece;
    }
}
