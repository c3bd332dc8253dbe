package dev.parley.agents.model.scripted;

import dev.parley.agents.model.ModelAnswer;
import dev.parley.agents.model.ModelFailure;
import dev.parley.agents.model.ModelProvider;
import dev.parley.agents.model.ModelStream;
import dev.parley.agents.model.scripted.Script.Step;
import dev.parley.agents.model.wire.JsonOut;
import dev.parley.domain.Ids;
import dev.parley.domain.content.Block;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.Usage;
import dev.parley.platform.worker.Cancellation;
import java.util.List;
import java.util.Locale;

/**
 * The built-in model: deterministic and offline, not a language model. It answers, calls tools, and follows the
 * directives in a message, such as waiting and failing; {@code docs/scripted-model.md} lists them. It is stateless: the
 * step follows from the messages, the attempt from the request.
 *
 * <p>Like real providers it rejects calls without results and changed reasoning.
 */
public final class ScriptedProvider implements ModelProvider {
    /** The name that agents refer to. */
    public static final String NAME = "scripted";

    private static final int CHARACTERS_PER_TOKEN = 4;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public ModelAnswer call(ModelRequest request, ModelStream stream, Cancellation cancellation)
            throws ModelFailure, InterruptedException {
        var conversation = new ScriptedConversation(request);
        conversation.check();
        var output = new ScriptedAnswer(request, conversation, stream);
        switch (request.purpose()) {
            case REPLY, MEMORY -> reply(conversation, output);
            case SUMMARY -> output.say(FixedReplies.summary(conversation));
            case TRANSCRIPT -> throw new IllegalStateException("recordings are for a transcriber");
        }
        var answer = output.answer();
        String raw = response("scripted_" + request.callId() + "_" + request.attempt(), answer);
        return new ModelAnswer(answer.blocks(), answer.finish(), answer.usage(), answer.model(), raw);
    }

    private static void reply(ScriptedConversation conversation, ScriptedAnswer output)
            throws ModelFailure, InterruptedException {
        Script script = Script.parse(conversation.message());
        int number = conversation.step();
        Step step = script.step(number);
        if (step == null) {
            finish(conversation, script, output);
            return;
        }
        for (ScriptDirective directive : step.directives()) {
            output.perform(directive, number);
        }
        if (output.isSilent() && conversation.mustCall().isPresent()) {
            output.call(conversation.mustCall().get(), "{}");
        } else if (output.isSilent()) {
            boolean talks = !step.talk().isEmpty() || (step.directives().isEmpty() && number == 0);
            if (talks) {
                talk(step.talk(), conversation, output);
            } else {
                finish(conversation, script, output);
            }
        }
    }

    private static void talk(String message, ScriptedConversation conversation, ScriptedAnswer output)
            throws InterruptedException {
        var requestedCall = FixedReplies.wish(message, conversation);
        if (requestedCall.isPresent()) {
            output.call(requestedCall.get().tool(), requestedCall.get().arguments());
        } else {
            output.say(FixedReplies.reply(message, conversation));
        }
    }

    /** After the last step: the results of the tools. */
    private static void finish(ScriptedConversation conversation, Script script, ScriptedAnswer output)
            throws InterruptedException {
        boolean scripted =
                script.steps().stream().anyMatch(step -> !step.directives().isEmpty());
        String introduction = scripted ? "" : FixedReplies.introduction(conversation);
        String results = FixedReplies.results(conversation.results());
        output.say(introduction + (results.isEmpty() ? "Done." : results));
    }

    /** The answer in the form of a provider's response. */
    private static String response(String id, ModelAnswer answer) {
        Usage usage = answer.usage();
        return JsonOut.object(o -> o.put("id", id)
                .put("model", answer.model())
                .put("finish_reason", answer.finish().name().toLowerCase(Locale.ROOT))
                .putArray("content", items -> answer.blocks().forEach(block -> writeBlock(block, items)))
                .putObject(
                        "usage",
                        u -> u.put("input_tokens", usage.input())
                                .put("output_tokens", usage.output())
                                .put("reasoning_tokens", usage.reasoning())
                                .put("cache_read_tokens", usage.cacheRead())));
    }

    private static void writeBlock(Block block, JsonOut items) {
        switch (block) {
            case Block.Text text -> writeItem("text", "text", text.text(), items);
            case Block.Thinking thinking -> writeItem("thinking", "thinking", thinking.text(), items);
            case Block.ToolCall call -> writeItem("tool_call:" + call.name(), "arguments", call.arguments(), items);
            case Block.Raw raw -> writeItem(raw.raw().type(), "item", raw.raw().json(), items);
            case Block.ToolResult _, Block.RedactedThinking _, Block.File _ -> {} // a scripted model makes none
        }
    }

    private static void writeItem(String type, String name, String value, JsonOut items) {
        items.addObject(o -> o.put("type", type).put(name, value));
    }

    /** The number of tokens that stands for a number of characters. */
    static long tokens(long characters) {
        return (characters + CHARACTERS_PER_TOKEN - 1) / CHARACTERS_PER_TOKEN;
    }

    /** The signature of this model's reasoning. */
    static String signature(String reasoning) {
        return "scripted-" + Ids.of("reasoning", reasoning);
    }

    /** The default usage of an answer with these blocks: one token per four characters, at no cost. */
    static Usage usage(ScriptedConversation conversation, List<Block> blocks) {
        long reasoning = tokens(blocks.stream()
                .filter(Block.Thinking.class::isInstance)
                .mapToLong(Block::weight)
                .sum());
        long output = tokens(blocks.stream()
                .filter(block -> !(block instanceof Block.Thinking))
                .mapToLong(Block::weight)
                .sum());
        return new Usage(conversation.tokens(), output + reasoning, reasoning, 0, 0, 0L);
    }

    /** The default finish reason of an answer with these blocks. */
    static FinishReason finish(List<Block> blocks) {
        return blocks.stream().anyMatch(Block.ToolCall.class::isInstance) ? FinishReason.TOOL_CALLS : FinishReason.STOP;
    }
}
