package dev.parley.domain.protocol;

import dev.parley.domain.RecordKey;
import dev.parley.domain.bank.Directive;
import dev.parley.domain.content.Todo;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What became of a command, for whoever waits for it. */
public sealed interface Outcome {
    RecordKey key();

    /** The command was carried out. {@code position} counts the turns before this one, 0 for the active turn. */
    record Accepted(
            RecordKey key,
            UUID commandId,
            UUID sessionId,
            @Nullable UUID turnId,
            @Nullable Long turnSeq,
            Disposition disposition,
            int position)
            implements Outcome {}

    /** The command was not carried out. {@code code} is a word for programs, {@code message} a sentence for people. */
    record Refused(RecordKey key, UUID commandId, String code, String message) implements Outcome {}

    /** What is said instead of any outcome whose session was erased: a duplicate of the command still changes nothing. */
    static Refused erased(RecordKey key, UUID commandId) {
        return new Refused(key, commandId, "erased", "what this was about was erased");
    }

    /** What the agent does, in order: the answer to a command that asked for it. */
    record TodosListed(RecordKey key, UUID commandId, List<Todo> todos) implements Outcome {
        public TodosListed {
            todos = List.copyOf(todos);
        }
    }

    /**
     * What the active turn waits for: the answer to a command that asked for it.
     *
     * @param calls that the caller carries out, in order
     * @param approvals that people are asked for, in the order of their calls; those of delegates are asked in their sessions
     */
    record CallsListed(RecordKey key, UUID commandId, List<CallerCall> calls, List<PendingApproval> approvals)
            implements Outcome {
        public CallsListed {
            calls = List.copyOf(calls);
            approvals = List.copyOf(approvals);
        }
    }

    /**
     * Turns were taken back, or brought back, and so were their files.
     *
     * @param isDone whether the files were; the conversation was in any case
     * @param files what became of them, as JSON; or why nothing did
     */
    record Reverted(RecordKey key, UUID commandId, UUID sessionId, boolean isDone, String files) implements Outcome {}

    /**
     * A bank has taken a document in.
     *
     * @param contentHash SHA-256 of what it says
     * @param isChanged whether it said anything that the bank had not been given before
     */
    record Retained(RecordKey key, UUID commandId, UUID bank, UUID docId, String contentHash, boolean isChanged)
            implements Outcome {}

    /**
     * What a bank knows of something.
     *
     * @param json what was found, the best first, within the tokens that were asked for
     * @param trace how it came about, as JSON; null where nobody asked
     * @param known number of the newest event of the bank that it could be found in
     * @param directives those that hold, the most important first; none where the bank was asked in its own process
     */
    record Recalled(
            RecordKey key,
            UUID commandId,
            String json,
            @Nullable String trace,
            long known,
            List<Directive> directives) implements Outcome {
        public Recalled {
            directives = List.copyOf(directives);
        }
    }

    /**
     * What a bank answers to a question that it has thought about.
     *
     * @param reflection the id under which it is kept
     * @param answer in which {@code [m1]} cites the first of {@code basedOn}; says that it is withheld where it is
     * @param basedOn ids of the units and passages that it cites, each of which was found
     * @param heeded names of the directives that it is known to keep
     * @param unchecked names of the directives of which rules cannot tell
     * @param withheld name of the directive that keeps it from being given, or null
     * @param uncited how many of its citations named nothing that was found, and were taken out
     * @param how what answered: {@code model-…} or {@code rules-…}
     * @param model which one, {@code provider/model}, or null
     * @param iterations how often it searched and asked a model
     */
    record Concluded(
            RecordKey key,
            UUID commandId,
            UUID reflection,
            String answer,
            List<String> basedOn,
            List<String> heeded,
            List<String> unchecked,
            @Nullable String withheld,
            int uncited,
            String how,
            @Nullable String model,
            int iterations,
            Usage usage)
            implements Outcome {
        public Concluded {
            basedOn = List.copyOf(basedOn);
            heeded = List.copyOf(heeded);
            unchecked = List.copyOf(unchecked);
        }

        /** The same with another text. */
        public Concluded saying(String text) {
            return new Concluded(
                    key,
                    commandId,
                    reflection,
                    text,
                    basedOn,
                    heeded,
                    unchecked,
                    withheld,
                    uncited,
                    how,
                    model,
                    iterations,
                    usage);
        }
    }

    /** How a process is, as JSON: after what it was told, or at its end for who waits for that. */
    record ProcessShown(RecordKey key, UUID commandId, String json) implements Outcome {}

    /** A turn ended; {@code model} is the one that answered last, {@code provider/model}, or null. */
    record Finished(
            RecordKey key,
            UUID turnId,
            UUID sessionId,
            long turnSeq,
            TurnState state,
            String text,
            String reply,
            @Nullable String model,
            @Nullable ErrorCategory error,
            @Nullable String message,
            Usage usage,
            Instant createdAt,
            Instant completedAt)
            implements Outcome {}

    /** What an accepted command did. */
    enum Disposition {
        /** Made a turn that is active now. */
        STARTED,
        /** Made a turn that waits. */
        QUEUED,
        /** Joined a turn that waits. */
        COLLECTED,
        /** Joined the active turn. */
        STEERED,
        /** Did what it says, without a turn of its own. */
        DONE
    }
}
