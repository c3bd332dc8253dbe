package dev.parley.agents.model.scripted;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.agents.model.ModelAnswer;
import dev.parley.agents.model.ModelFailure;
import dev.parley.agents.model.ModelRequests;
import dev.parley.agents.model.ModelStream;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.Role;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.FinishReason;
import dev.parley.domain.protocol.Usage;
import dev.parley.platform.worker.Cancellation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScriptedProviderTest {
    private final ModelRequests conversation = new ModelRequests();
    private final List<String> tokens = new ArrayList<>();
    private final StringBuilder reasoning = new StringBuilder();
    private final StringBuilder arguments = new StringBuilder();

    private final ModelStream stream = new ModelStream() {
        @Override
        public void text(String piece) {
            tokens.add(piece);
        }

        @Override
        public void reasoning(String piece) {
            reasoning.append(piece);
        }

        @Override
        public void toolArguments(String toolCallId, String toolName, String piece) {
            arguments.append(piece);
        }
    };

    private ModelAnswer answer() throws Exception {
        tokens.clear();
        return new ScriptedProvider().call(conversation.request(), stream, new Cancellation());
    }

    /** Its reply to this text, which is added to the conversation. */
    private String reply(String text) throws Exception {
        conversation.user(text);
        ModelAnswer answer = answer();
        conversation.assistant(answer.blocks());
        return Message.text(answer.blocks());
    }

    @Test
    void introducesItselfAsScripted() throws Exception {
        assertTrue(reply("good evening all").startsWith("I am Parley's scripted model. I am no language model"));
        assertEquals("You said: \"really\". This is turn 2.", reply("really"));
    }

    @Test
    void remembersFactsOfTheConversation() throws Exception {
        reply("hello, my name is Ada.");
        reply("the weather is nice");
        assertEquals("Your name is Ada.", reply("What is my name?"));
        assertEquals("You have not told me your cat.", reply("what is my cat?"));
    }

    @Test
    void summaryKeepsNamesAndTheTurnCount() throws Exception {
        reply("my name is Ada");
        reply("my cat is Tom");
        String summary = Message.text(new ScriptedProvider()
                .call(conversation.summaryRequest(), ModelStream.NONE, new Cancellation())
                .blocks());
        conversation.startOverWith(summary);

        assertTrue(summary.startsWith("Summary of 2 turns:"), summary);
        assertEquals("You said: \"x\". This is turn 3, Ada.", reply("x"));
        assertEquals("Your cat is Tom.", reply("what's my cat?"));
    }

    @Test
    @Tag("I71")
    void streamedTokensFormTheText() throws Exception {
        conversation.user("!say one  two\\nthree \n!stream 20 words\n!say end");
        String text = Message.text(answer().blocks());
        assertEquals(text, String.join("", tokens));
        assertTrue(tokens.size() > 22, tokens.size() + " tokens");
        assertTrue(text.startsWith("one  two\nthree\nthe quick"), text);
    }

    @Test
    @Tag("P37")
    void makesParallelCallsWithinAStepAndStepsInSequence() throws Exception {
        conversation.tools("echo", "time");
        conversation.user(
                "!think what now\n!call echo {\"text\":\"a\"}\n!call time\n!then\n!say nearly\n!call echo {\"text\":\"b\"}");

        ModelAnswer first = answer();
        assertEquals(
                List.of("{\"text\":\"a\"}", "{}"),
                Message.toolCalls(first.blocks()).stream()
                        .map(Block.ToolCall::arguments)
                        .toList());
        assertEquals(FinishReason.TOOL_CALLS, first.finish());
        assertEquals("what now", reasoning.toString());
        assertEquals("{\"text\":\"a\"}{}", arguments.toString());
        conversation.assistant(first.blocks()).results(first.blocks(), "A", "12:00");

        ModelAnswer second = answer();
        assertEquals("nearly", Message.text(second.blocks()));
        assertEquals(1, Message.toolCalls(second.blocks()).size());
        conversation.assistant(second.blocks()).results(second.blocks(), "B");

        ModelAnswer third = answer();
        assertEquals("The tool echo answered: B", Message.text(third.blocks()));
        assertEquals(FinishReason.STOP, third.finish());
    }

    @Test
    void callsOfferedToolsOnPlainRequests() throws Exception {
        conversation.tools("echo", "time");
        conversation.user("!say hi").assistant(List.of(Block.text("hi"))).user("what time is it?");
        ModelAnswer answer = answer();
        assertEquals("time", Message.toolCalls(answer.blocks()).getFirst().name());
        conversation.assistant(answer.blocks()).results(answer.blocks(), "noon");
        assertEquals("The tool time answered: noon", Message.text(answer().blocks()));

        conversation.user("echo \"good\" day");
        assertEquals(
                "{\"text\":\"\\\"good\\\" day\"}",
                Message.toolCalls(answer().blocks()).getFirst().arguments());
    }

    @Test
    @Tag("I83")
    void loopsUntilToolsAreNoLongerOffered() throws Exception {
        conversation.tools("echo").user("!loop echo {\"text\":\"$n\"}");
        for (int step = 0; step < 5; step++) {
            ModelAnswer answer = answer();
            assertEquals(
                    "{\"text\":\"" + step + "\"}",
                    Message.toolCalls(answer.blocks()).getFirst().arguments());
            conversation.assistant(answer.blocks()).results(answer.blocks(), "r" + step);
        }
        conversation.tools();
        assertEquals("The tool echo answered: r4", Message.text(answer().blocks()));
    }

    @Test
    void delegates() throws Exception {
        conversation.tools("delegate").user("!delegate researcher find \"it\"");
        var call = Message.toolCalls(answer().blocks()).getFirst();
        assertEquals("delegate", call.name());
        assertEquals("{\"agent\":\"researcher\",\"task\":\"find \\\"it\\\"\"}", call.arguments());
    }

    @Test
    @Tag("I67")
    void failsAsOftenAsScripted() throws Exception {
        conversation.user("!say half\n!fail rate-limit times 2 retry-after 3s\n!say whole");
        var failure = assertThrows(ModelFailure.class, this::answer);
        assertEquals(ErrorCategory.RATE_LIMIT, failure.category());
        assertEquals(Duration.ofSeconds(3), failure.retryAfter());
        assertEquals(List.of("half"), tokens);
        conversation.attempt(3);
        assertEquals("half\nwhole", Message.text(answer().blocks()));
    }

    @ParameterizedTest
    @CsvSource({"length,LENGTH", "content-filter,CONTENT_FILTER", "error,ERROR", "unknown,UNKNOWN"})
    @Tag("I64")
    void endsWithTheScriptedFinishReason(String word, FinishReason reason) throws Exception {
        conversation.user("!say x\n!finish " + word);
        assertEquals(reason, answer().finish());
    }

    @Test
    @Tag("I66")
    void reportsScriptedOrEstimatedUsage() throws Exception {
        conversation.user("!say abcdefgh\n!usage in=1000 out=50 reasoning=20 cacheRead=800 cost=0.0125");
        assertEquals(new Usage(1000, 50, 20, 800, 0, 12_500_000L), answer().usage());
        conversation.user("!say abcdefgh\n!think abcd");
        Usage counted = answer().usage();
        assertEquals(3, counted.output());
        assertEquals(1, counted.reasoning());
        assertEquals(0L, counted.costNanos());
    }

    @Test
    @Tag("P24")
    void rawItemsKeepTheirTypeAndJson() throws Exception {
        String json = "{\"a\":{\"type\":\"inner\"}, \"type\":\"new_thing\",\"x\":1}";
        conversation.user("!raw " + json + "\n!say x");
        var item = answer().blocks().getFirst().raw();
        assertNotNull(item);
        assertEquals("scripted", item.provider());
        assertEquals("new_thing", item.type());
        assertEquals(json, item.json());
    }

    @Test
    void returnsAnEmptyAnswerOnRequest() throws Exception {
        conversation.user("!empty");
        assertEquals(List.of(), answer().blocks());
    }

    @Test
    void reportsScriptsThatItCannotRead() throws Exception {
        assertTrue(reply("!dance now").startsWith("I cannot read \"!dance now\""));
        assertTrue(reply("!delay soon").contains("it is a time such as 2s"));
        assertTrue(reply("!fail maybe").startsWith("I cannot read"));
        assertTrue(reply("help").contains("!call TOOL {json}"));
    }

    @Test
    @Tag("I72")
    void rejectsInvalidHistoriesLikeRealProviders() throws Exception {
        conversation.tools("echo").user("!think hm\n!call echo {}");
        ModelAnswer answer = answer();
        conversation.assistant(answer.blocks());
        assertEquals(
                ErrorCategory.INVALID_REQUEST,
                assertThrows(ModelFailure.class, this::answer).category());
        conversation.results(answer.blocks(), "fine");
        assertEquals("The tool echo answered: fine", Message.text(answer().blocks()));
        conversation.message(new Message(
                Role.ASSISTANT, List.of(new Block.Thinking("changed", "scripted-old", null)), false, "scripted", "m"));
        assertEquals(
                "reasoning was changed after it was signed",
                assertThrows(ModelFailure.class, this::answer).detail());
    }

    @Test
    void isDeterministicAndKeepsItsResponse() throws Exception {
        conversation.user("hello");
        ModelAnswer first = answer();
        assertEquals(first, answer());
        String raw = first.raw();
        assertNotNull(raw);
        assertTrue(raw.contains("\"finish_reason\":\"stop\""), raw);
        assertFalse(first.blocks().stream().anyMatch(block -> block.raw() != null));
    }

    @Test
    void streamsAtTheScriptedPaceAndStopsOnInterrupt() throws Exception {
        conversation.user("!stream 60s");
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, this::answer);
        conversation.user("!stream 10 words over 100ms");
        long start = System.nanoTime();
        answer();
        assertEquals(10, tokens.size());
        assertTrue(System.nanoTime() - start >= 99_000_000L);
    }
}
