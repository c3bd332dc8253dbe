package dev.parley.platform.serde;

import dev.parley.domain.memory.BankQuota;
import dev.parley.domain.memory.BankState;
import dev.parley.domain.memory.MemoryCommand;
import dev.parley.domain.memory.PendingInference;
import dev.parley.domain.memory.ReviewQueue;
import dev.parley.domain.memory.Utterance;
import dev.parley.domain.permission.Subject;
import dev.parley.domain.protocol.Handoff;
import dev.parley.domain.protocol.Reminder;
import dev.parley.domain.protocol.Reply;
import dev.parley.domain.protocol.TurnDelta;
import java.util.Map;

/** Schema names of classes: the simple name, except for the few classes that share one or were renamed. */
final class SchemaNames {
    private static final Map<Class<?>, String> RENAMED = Map.ofEntries(
            Map.entry(Reply.Kind.class, "ReplyKind"),
            Map.entry(Reminder.Change.class, "ReminderChange"),
            Map.entry(Handoff.Change.class, "HandoffChange"),
            Map.entry(Handoff.Step.class, "HandoffStep"),
            Map.entry(TurnDelta.Kind.class, "DeltaKind"),
            Map.entry(Subject.Kind.class, "SubjectKind"),
            Map.entry(MemoryCommand.Forget.What.class, "ForgetWhat"),
            Map.entry(BankState.Work.class, "ChunkWork"),
            Map.entry(BankState.Read.class, "ChunkRead"),
            Map.entry(PendingInference.class, "Thought"),
            Map.entry(PendingInference.Ask.class, "ThoughtAsk"),
            Map.entry(PendingInference.Step.class, "ThoughtStep"),
            Map.entry(ReviewQueue.class, "Backlog"),
            Map.entry(BankQuota.class, "Allowance"),
            Map.entry(Utterance.class, "Saying"));

    private SchemaNames() {}

    static String of(Class<?> type) {
        return RENAMED.getOrDefault(type, type.getSimpleName());
    }
}
