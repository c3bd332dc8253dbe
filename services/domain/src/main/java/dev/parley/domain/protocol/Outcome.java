package dev.parley.domain.protocol;

import dev.parley.domain.RecordKey;
import dev.parley.domain.bank.Directive;
import dev.parley.domain.content.Todo;
import dev.parley.domain.protocol.Reminder.QuietHours;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The result of a command, for its sender. */
public sealed interface Outcome {
    RecordKey key();

    /** The command was executed. {@code position} is the number of turns before this one, 0 for the active turn. */
    record Accepted(
            RecordKey key,
            UUID commandId,
            UUID sessionId,
            @Nullable UUID turnId,
            @Nullable Long turnSeq,
            Disposition disposition,
            int position)
            implements Outcome {}

    /** The command was rejected. {@code code} is machine-readable, {@code message} is for users. */
    record Refused(RecordKey key, UUID commandId, String code, String message) implements Outcome {}

    /** Replaces every outcome of an erased session: duplicates of its commands still change nothing. */
    static Refused erased(RecordKey key, UUID commandId) {
        return new Refused(key, commandId, "erased", "what this was about was erased");
    }

    /** The agent's todos, in order. */
    record TodosListed(RecordKey key, UUID commandId, List<Todo> todos) implements Outcome {
        public TodosListed {
            todos = List.copyOf(todos);
        }
    }

    /**
     * The reminders of a session, the next one first, and the quiet hours of its people.
     *
     * @param timeZone of the person who asks
     */
    record RemindersListed(
            RecordKey key, UUID commandId, List<Reminder> reminders, List<QuietHours> quiet, String timeZone)
            implements Outcome {
        public RemindersListed {
            reminders = List.copyOf(reminders);
            quiet = List.copyOf(quiet);
        }
    }

    /**
     * The calls that the active turn waits for.
     *
     * @param calls for the caller, in order
     * @param approvals pending approvals, in the order of their calls; without those of delegates, which belong to
     *     their own sessions
     */
    record CallsListed(
            RecordKey key,
            UUID commandId,
            List<CallerCall> calls,
            List<PendingApproval> approvals,
            @Nullable Usage usage)
            implements Outcome {
        public CallsListed {
            calls = List.copyOf(calls);
            approvals = List.copyOf(approvals);
        }
    }

    /**
     * Turns were reverted or unreverted.
     *
     * @param isDone whether the files were reverted, too; the conversation always is
     * @param files the result for each file, as JSON; or the reason why no file was restored
     */
    record Reverted(RecordKey key, UUID commandId, UUID sessionId, boolean isDone, String files) implements Outcome {}

    /**
     * A bank has accepted a document.
     *
     * @param contentHash SHA-256 of the content
     * @param isChanged whether the content is new to the bank
     */
    record Retained(RecordKey key, UUID commandId, UUID bank, UUID docId, String contentHash, boolean isChanged)
            implements Outcome {}

    /**
     * The result of a recall.
     *
     * @param json results, best first, within the requested number of tokens
     * @param trace explanation of the ranking, as JSON; null unless requested
     * @param known number of the bank's newest event covered by the search
     * @param directives the active ones, highest priority first; empty if the bank was called in-process
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
     * The result of a reflection.
     *
     * @param reflection id under which it is stored
     * @param answer {@code [m1]} cites the first of {@code basedOn}; if withheld, a message that states so
     * @param basedOn ids of the cited units and passages, all of which were retrieved
     * @param heeded names of the directives that it was checked against
     * @param unchecked names of the directives that rules cannot check
     * @param withheld name of the directive that the answer breaks, or null
     * @param uncited number of removed citations that matched nothing retrieved
     * @param how version of the implementation, {@code model-…} or {@code rules-…}
     * @param model {@code provider/model}, or null
     * @param iterations number of search and model call rounds
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

        /** This result with another answer. */
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

    /** The status of a workflow process as JSON: after a command, or at its end for those waiting for that. */
    record ProcessShown(RecordKey key, UUID commandId, String json) implements Outcome {}

    /** A turn ended; {@code model} is the last one that answered, {@code provider/model}, or null. */
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

    /** The effect of an accepted command. */
    enum Disposition {
        /** A turn started. */
        STARTED,
        /** A turn was queued. */
        QUEUED,
        /** The message joined a queued turn. */
        COLLECTED,
        /** The message joined the active turn. */
        STEERED,
        /** The command was executed without its own turn. */
        DONE
    }
}
