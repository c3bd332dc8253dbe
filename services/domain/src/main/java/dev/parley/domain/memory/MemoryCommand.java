package dev.parley.domain.memory;

import dev.parley.domain.RecordKey;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.bank.Directive;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.protocol.CommandMeta;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A command to a memory bank. */
public sealed interface MemoryCommand extends MemoryInput {
    CommandMeta meta();

    BankRef bank();

    /**
     * Retains a document. It replaces an earlier one with the same id; unchanged chunks are not extracted again.
     *
     * @param session source session, or null
     * @param turnId the turn it consists of, or null
     * @param turnSeq number of that turn in its session, or null
     * @param context hint for the extraction, or null
     * @param mentionedAt time of the statements
     * @param reader agent whose model extracts the facts; null for that of the bank, or rules if it has none
     * @param forgetAt expiry, or null
     */
    record Retain(
            CommandMeta meta,
            BankRef bank,
            UUID docId,
            @Nullable RecordKey session,
            @Nullable UUID turnId,
            @Nullable Long turnSeq,
            List<Utterance> sayings,
            @Nullable String context,
            List<String> tags,
            Instant mentionedAt,
            @Nullable Agent reader,
            @Nullable Instant forgetAt)
            implements MemoryCommand {
        public Retain {
            sayings = List.copyOf(sayings);
            tags = List.copyOf(tags);
        }

        /** Retains a document without expiry. */
        public Retain(
                CommandMeta meta,
                BankRef bank,
                UUID docId,
                @Nullable RecordKey session,
                @Nullable UUID turnId,
                @Nullable Long turnSeq,
                List<Utterance> sayings,
                @Nullable String context,
                List<String> tags,
                Instant mentionedAt,
                @Nullable Agent reader) {
            this(meta, bank, docId, session, turnId, turnSeq, sayings, context, tags, mentionedAt, reader, null);
        }
    }

    /** Changes the bank's profile; without a profile, creates the bank. */
    record ChangeBank(
            CommandMeta meta, BankRef bank, @Nullable BankProfile profile) implements MemoryCommand {}

    /** Adds or replaces a directive. */
    record SetDirective(CommandMeta meta, BankRef bank, Directive directive) implements MemoryCommand {}

    /** Removes a directive. */
    record RemoveDirective(CommandMeta meta, BankRef bank, UUID directiveId) implements MemoryCommand {}

    /**
     * Answers a question from the bank's memories.
     *
     * @param asker the person who asks and the purpose, as text for a model; or null
     * @param session of the question, or null
     * @param tags evidence must have one of these; empty for any
     * @param types of units used as evidence; empty for all
     * @param maxTokens approximate length of the answer: 50 to 4,000
     * @param reader agent whose model answers; null for that of the bank, or rules if it has none
     */
    record Reflect(
            CommandMeta meta,
            BankRef bank,
            String question,
            @Nullable String asker,
            @Nullable RecordKey session,
            List<String> tags,
            List<FactType> types,
            int maxTokens,
            @Nullable Agent reader)
            implements MemoryCommand {
        /** Default length of an answer in tokens. */
        public static final int DEFAULT_TOKENS = 1_000;

        public Reflect {
            tags = List.copyOf(tags);
            types = List.copyOf(types);
        }
    }

    /** Adds or replaces a mental model. */
    record SetMentalModel(CommandMeta meta, BankRef bank, MentalModel model) implements MemoryCommand {}

    /** Removes a mental model. */
    record RemoveMentalModel(CommandMeta meta, BankRef bank, UUID modelId) implements MemoryCommand {}

    /** Retires a unit, which stays in the history. */
    record RetireUnit(CommandMeta meta, BankRef bank, UUID unitId, String reason) implements MemoryCommand {}

    /**
     * Re-embeds the bank with another model, and switches to it when complete. Until then searches use the current
     * generation, which is kept afterwards.
     *
     * @param generation name of the embedding model
     */
    record Reembed(CommandMeta meta, BankRef bank, String generation) implements MemoryCommand {}

    /** Drops all vectors except those of the searched generation. */
    record DropGeneration(CommandMeta meta, BankRef bank) implements MemoryCommand {}

    /** Sets the bank's quota. Existing content is kept. */
    record LimitBank(CommandMeta meta, BankRef bank, BankQuota allowance) implements MemoryCommand {}

    /**
     * Creates a branch: a bank with the contents of this one at some time, copied event by event without extraction or
     * embedding. Erasures in this bank apply to its branches.
     *
     * @param name of the branch
     * @param at content up to this time, or null for now
     * @param number content up to the event of this number, or null for the newest
     */
    record Branch(
            CommandMeta meta,
            BankRef bank,
            String name,
            @Nullable Instant at,
            @Nullable Long number) implements MemoryCommand {}

    /**
     * Appends events of another bank: sent by a bank to its branches, and by a project import to empty banks.
     *
     * @param events of the other bank, in order, with mapped sessions, turns and users
     * @param upTo number of the last event examined
     * @param whole whether this is the last batch
     */
    record Adopt(CommandMeta meta, BankRef bank, List<MemoryEvent> events, long upTo, boolean whole)
            implements MemoryCommand {
        public Adopt {
            events = List.copyOf(events);
        }
    }

    /**
     * Erases content, and everything derived from it alone.
     *
     * @param what kind of content
     * @param id of the unit, document or turn; null for the whole bank and for a session
     * @param session whose content until the time of the command is erased
     */
    record Forget(
            CommandMeta meta,
            BankRef bank,
            What what,
            @Nullable UUID id,
            @Nullable RecordKey session) implements MemoryCommand {

        /** Kinds of content to erase. */
        public enum What {
            UNIT,
            DOCUMENT,
            TURN,
            SESSION,
            BANK
        }
    }
}
