package dev.parley.domain.memory.machine;

import dev.parley.domain.memory.BankState;
import dev.parley.domain.memory.BankState.Work;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Ends the jobs of a bank that wait for an input on which the machine failed, with as little of it as possible. */
final class BankFaults {
    private BankFaults() {}

    /** @param callId the call whose result cannot be decided; null for a timer, which ends all jobs that are due */
    static void end(MemoryDraft draft, @Nullable UUID callId) {
        BankState state = draft.state();
        List<Work> works = state.works().stream()
                .filter(work -> isMeant(draft, callId, work.callId(), work.due()))
                .toList();
        works.forEach(work -> FactExtraction.drop(draft, work));
        if (callId == null && works.isEmpty()) {
            FactExtraction.skipNext(draft);
        }
        state.thoughts().stream()
                .filter(thought -> isMeant(draft, callId, thought.callId(), thought.due()))
                .forEach(thought -> ReflectionCompletion.refuse(
                        draft, thought, "internal_error", "the bank failed to reflect; see the logs"));
        ConsolidationCalls.giveUp(draft, callId);
        Reembedding.giveUp(draft, callId);
    }

    static boolean isMeant(MemoryDraft draft, @Nullable UUID callId, UUID pending, @Nullable Instant due) {
        return callId == null ? due != null && !due.isAfter(draft.now()) : callId.equals(pending);
    }
}
