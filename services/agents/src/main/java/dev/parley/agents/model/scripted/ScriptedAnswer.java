package dev.parley.agents.model.scripted;

import dev.parley.agents.model.ModelAnswer;
import dev.parley.agents.model.ModelFailure;
import dev.parley.agents.model.ModelStream;
import dev.parley.agents.model.wire.VerbatimJson;
import dev.parley.domain.Ids;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.ProviderItem;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.ModelRequest;
import dev.parley.domain.protocol.Usage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One answer of the scripted model: streamed word by word, collected block by block. */
final class ScriptedAnswer {
    private static final String[] WORDS = "the quick brown fox jumps over the lazy dog while nobody looks".split(" ");

    private final ModelRequest request;
    private final ScriptedConversation conversation;
    private final ModelStream stream;
    private final List<Block> blocks = new ArrayList<>();
    private boolean spoken;
    private boolean empty;
    private @Nullable FinishReason finish;
    private @Nullable Usage usage;

    ScriptedAnswer(ModelRequest request, ScriptedConversation conversation, ModelStream stream) {
        this.request = request;
        this.conversation = conversation;
        this.stream = stream;
    }

    /** Carries out a directive. */
    void perform(ScriptDirective directive, int step) throws ModelFailure, InterruptedException {
        switch (directive) {
            case ScriptDirective.Say say -> say(say.text());
            case ScriptDirective.Stream paced -> stream(paced);
            case ScriptDirective.Think think -> think(think.text());
            case ScriptDirective.Delay delay -> Thread.sleep(delay.duration());
            case ScriptDirective.Call call -> call(call.tool(), call.arguments().replace("$n", Integer.toString(step)));
            case ScriptDirective.Loop loop -> call(loop.tool(), loop.arguments().replace("$n", Integer.toString(step)));
            case ScriptDirective.Fail fail -> fail(fail);
            case ScriptDirective.Finish requested -> finish = requested.reason();
            case ScriptDirective.Raw raw ->
                blocks.add(new Block.Raw(new ProviderItem(ScriptedProvider.NAME, type(raw.json()), raw.json())));
            case ScriptDirective.Report report -> usage = report.usage();
            case ScriptDirective.Empty _ -> empty = true;
        }
    }

    private static String type(String json) {
        return VerbatimJson.orMissing(json).at("type").string("unknown");
    }

    /** Adds a text and streams it word by word. */
    void say(String text) throws InterruptedException {
        String fullText = (spoken ? "\n" : "") + text;
        for (String word : fullText.split("(?<=\\s)(?=\\S)")) {
            speak(word);
        }
        blocks.add(Block.text(fullText));
        spoken = true;
    }

    private void speak(String word) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("cancelled");
        }
        stream.text(word);
    }

    private void stream(ScriptDirective.Stream paced) throws InterruptedException {
        var text = new StringBuilder(spoken ? "\n" : "");
        long start = System.nanoTime();
        for (int i = 1; i <= paced.words(); i++) {
            String word = WORDS[(i - 1) % WORDS.length] + (i == paced.words() ? "." : " ");
            speak(i == 1 ? text + word : word);
            text.append(word);
            long due = paced.over().toNanos() / paced.words() * i;
            Thread.sleep(Duration.ofNanos(Math.max(0, start + due - System.nanoTime())));
        }
        blocks.add(Block.text(text.toString()));
        spoken = true;
    }

    private void think(String text) {
        stream.reasoning(text);
        blocks.add(new Block.Thinking(text, ScriptedProvider.signature(text), null));
    }

    /** Calls a tool if tools are offered, else does nothing. */
    void call(String tool, String arguments) {
        if (!conversation.offersTools()) {
            return;
        }
        String id = "call_"
                + Ids.of("scripted", request.callId(), blocks.size()).toString().substring(0, 13);
        int middle = arguments.length() / 2;
        stream.toolArguments(id, tool, arguments.substring(0, middle));
        stream.toolArguments(id, tool, arguments.substring(middle));
        blocks.add(new Block.ToolCall(id, tool, arguments, null));
    }

    private void fail(ScriptDirective.Fail fail) throws ModelFailure {
        if (request.attempt() <= fail.times()) {
            throw new ModelFailure(
                    fail.category(), "scripted failure " + request.attempt(), fail.retryAfter(), List.of());
        }
    }

    /** Whether there is neither text nor a call, unless {@code !empty} demands that. */
    boolean isSilent() {
        return !spoken && !empty && blocks.stream().noneMatch(Block.ToolCall.class::isInstance);
    }

    /** The complete answer. */
    ModelAnswer answer() {
        return new ModelAnswer(
                blocks,
                finish == null ? ScriptedProvider.finish(blocks) : finish,
                usage == null ? ScriptedProvider.usage(conversation, blocks) : usage,
                request.agent().model(),
                null);
    }
}
