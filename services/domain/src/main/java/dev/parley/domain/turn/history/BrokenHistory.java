package dev.parley.domain.turn.history;

import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.Role;
import dev.parley.domain.protocol.Entry;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Repair of a history with unreadable messages. Each is replaced by a placeholder, so that indexes stay the same, and
 * tool calls and results remain paired, as providers require.
 */
public final class BrokenHistory {
    /** The placeholder of a message. */
    static final String LOST = "[A message of this conversation was here, which can no longer be read.]";

    /** The placeholder of a tool result. */
    static final String LOST_RESULT = "the result of this call can no longer be read";

    private static final UUID NO_TURN = new UUID(0, 0);

    private BrokenHistory() {}

    /**
     * Repairs consecutive entries of a history.
     *
     * @param entries in order, null for an unreadable one
     * @return one entry for each; readable ones are unchanged, except for results whose call is lost
     */
    public static List<Entry> repair(List<@Nullable Entry> entries) {
        var repaired = new ArrayList<Entry>();
        Set<String> open = new LinkedHashSet<>();
        for (int i = 0; i < entries.size(); i++) {
            Entry entry = repair(entries, i, open);
            if (isResult(entry.message())) {
                open.remove(callId(entry.message()));
            } else {
                open.clear();
                Message.toolCalls(entry.message().blocks()).forEach(call -> open.add(call.id()));
            }
            repaired.add(entry);
        }
        return repaired;
    }

    /** @param open the calls before the entry that have no result yet */
    private static Entry repair(List<@Nullable Entry> entries, int index, Set<String> open) {
        Entry entry = entries.get(index);
        if (entry == null) {
            Entry nearest = nearest(entries, index);
            return new Entry(
                    nearest == null ? NO_TURN : nearest.turnId(),
                    nearest == null ? 0 : nearest.turnSeq(),
                    placeholder(open, entries.subList(index + 1, entries.size())));
        }
        boolean lostCall = isResult(entry.message()) && !open.contains(callId(entry.message()));
        return lostCall ? new Entry(entry.turnId(), entry.turnSeq(), Message.text(Role.USER, LOST)) : entry;
    }

    /**
     * If tool calls before it have no result, the lost message was a result: of a call without one further on, as far
     * as that can be determined.
     */
    private static Message placeholder(Set<String> open, List<@Nullable Entry> next) {
        if (open.isEmpty()) {
            return Message.text(Role.USER, LOST);
        }
        var unanswered = new LinkedHashSet<>(open);
        for (Entry entry : next) {
            if (entry != null && (!isResult(entry.message()) || !unanswered.remove(callId(entry.message())))) {
                break;
            }
        }
        String call = unanswered.isEmpty()
                ? open.iterator().next()
                : unanswered.iterator().next();
        return Message.toolResult(call, LOST_RESULT, true);
    }

    private static @Nullable Entry nearest(List<@Nullable Entry> entries, int index) {
        for (int distance = 1; distance < entries.size(); distance++) {
            for (int candidate : new int[] {index - distance, index + distance}) {
                if (candidate >= 0 && candidate < entries.size() && entries.get(candidate) != null) {
                    return entries.get(candidate);
                }
            }
        }
        return null;
    }

    private static boolean isResult(Message message) {
        return message.role() == Role.TOOL && message.blocks().getFirst() instanceof Block.ToolResult;
    }

    private static String callId(Message message) {
        return ((Block.ToolResult) message.blocks().getFirst()).toolCallId();
    }
}
