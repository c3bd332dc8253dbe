package dev.parley.domain.turn.history;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.domain.Ids;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.Role;
import dev.parley.domain.protocol.Entry;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class BrokenHistoryTest {
    private static final Message HI = Message.text(Role.USER, "hi");
    private static final Message CALLS = new Message(
            Role.ASSISTANT,
            List.of(new Block.ToolCall("a", "add", "{}", null), new Block.ToolCall("b", "add", "{}", null)),
            false,
            null,
            null);
    private static final Message A = Message.toolResult("a", "1", false);
    private static final Message B = Message.toolResult("b", "2", false);
    private static final Message DONE = Message.text(Role.ASSISTANT, "3");
    private static final Message LOST = Message.text(Role.USER, BrokenHistory.LOST);
    private static final Message LOST_B = Message.toolResult("b", BrokenHistory.LOST_RESULT, true);

    @Test
    @Tag("P16")
    void keepsAReadableHistory() {
        assertEquals(List.of(HI, CALLS, A, B, DONE), repaired(HI, CALLS, A, B, DONE));
    }

    @Test
    @Tag("P16")
    void replacesLostMessagesByANotice() {
        assertEquals(List.of(LOST, CALLS, A, B, DONE), repaired(null, CALLS, A, B, DONE));
        assertEquals(List.of(HI, CALLS, A, B, LOST), repaired(HI, CALLS, A, B, null));
        assertEquals(List.of(LOST, LOST), repaired(null, null));
    }

    @Test
    @Tag("K13")
    void replacesALostToolResultByAnError() {
        assertEquals(List.of(HI, CALLS, A, LOST_B, DONE), repaired(HI, CALLS, A, null, DONE));
        assertEquals(List.of(HI, CALLS, LOST_B, A, DONE), repaired(HI, CALLS, null, A, DONE));
    }

    @Test
    @Tag("K13")
    void replacesTheResultsOfALostCall() {
        assertEquals(List.of(HI, LOST, LOST, LOST, DONE), repaired(HI, null, A, B, DONE));
    }

    @Test
    @Tag("K13")
    void repairedHistoryPairsEachCallWithItsResult() {
        for (long seed = 0; seed < 10_000; seed++) {
            var random = new Random(seed);
            var history = new ArrayList<Message>();
            for (int i = 0; i < 1 + random.nextInt(4); i++) {
                history.addAll(random.nextBoolean() ? List.of(HI, DONE) : List.of(HI, CALLS, A, B, DONE));
            }
            history.replaceAll(message -> random.nextInt(4) == 0 ? null : message);

            List<Message> repaired = repaired(history.toArray(Message[]::new));

            assertEquals(history.size(), repaired.size(), "seed " + seed);
            assertPaired(repaired, "seed " + seed);
        }
    }

    private static void assertPaired(List<Message> messages, String seed) {
        var open = new LinkedHashSet<String>();
        for (Message message : messages) {
            if (message.role() == Role.TOOL) {
                String id = ((Block.ToolResult) message.blocks().getFirst()).toolCallId();
                assertEquals(true, open.remove(id), seed + ": a result without its call");
            } else {
                assertEquals(List.of(), List.copyOf(open), seed + ": a call without its result");
                Message.toolCalls(message.blocks()).forEach(call -> open.add(call.id()));
            }
        }
    }

    private static List<Message> repaired(Message... messages) {
        var entries = new ArrayList<Entry>();
        Stream.of(messages)
                .forEach(message -> entries.add(message == null ? null : new Entry(Ids.of("turn"), 1, message)));
        return BrokenHistory.repair(entries).stream().map(Entry::message).toList();
    }
}
