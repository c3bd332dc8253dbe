package dev.parley.platform.serde;

import dev.parley.domain.memory.BankState;
import dev.parley.domain.memory.MemoryCommand;
import dev.parley.domain.memory.Thought;
import dev.parley.domain.memory.Utterance;
import dev.parley.domain.permission.Subject;
import dev.parley.domain.protocol.Reply;
import dev.parley.domain.protocol.TurnDelta;
import java.util.Map;

/** Schema names of classes: the simple name, except for the few classes that share one or were renamed. */
final class Names {
    private static final Map<Class<?>, String> RENAMED = Map.of(
            Reply.Kind.class, "ReplyKind",
            TurnDelta.Kind.class, "DeltaKind",
            Subject.Kind.class, "SubjectKind",
            MemoryCommand.Forget.What.class, "ForgetWhat",
            BankState.Work.class, "ChunkWork",
            BankState.Read.class, "ChunkRead",
            Thought.Ask.class, "ThoughtAsk",
            Thought.Step.class, "ThoughtStep",
            Utterance.class, "Saying");

    private Names() {}

    static String of(Class<?> type) {
        return RENAMED.getOrDefault(type, type.getSimpleName());
    }
}
