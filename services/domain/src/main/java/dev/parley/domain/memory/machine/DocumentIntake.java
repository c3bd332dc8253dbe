package dev.parley.domain.memory.machine;

import dev.parley.domain.Sha256;
import dev.parley.domain.access.TimeZones;
import dev.parley.domain.memory.BankQuota;
import dev.parley.domain.memory.BankState;
import dev.parley.domain.memory.BankState.Waiting;
import dev.parley.domain.memory.Document;
import dev.parley.domain.memory.Document.Piece;
import dev.parley.domain.memory.MemoryCommand.Retain;
import dev.parley.domain.memory.MemoryEffect;
import dev.parley.domain.memory.MemoryEvent.DocumentRetained;
import dev.parley.domain.memory.Utterance;
import dev.parley.domain.memory.extract.Chunks;
import dev.parley.domain.memory.extract.TextChunk;
import dev.parley.domain.memory.extract.TextDelta;
import dev.parley.domain.protocol.Outcome;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/** Intake of documents: stores a document, and queues its new chunks for extraction. */
final class DocumentIntake {
    /** Maximum queued chunks of a bank. */
    static final long MAX_QUEUED = 100_000;

    private DocumentIntake() {}

    static void retain(MemoryDraft draft, Retain retain) {
        if (isRefused(draft, retain)) {
            return;
        }
        Document document = document(
                retain, draft.view().zones().of(retain.bank(), retain.meta().user()));
        boolean isNew = !draft.memory().hasContent(document.id(), document.contentHash());
        if (isNew) {
            if (isIdTaken(draft, document.id()) || isFull(draft, document)) {
                return;
            }
            List<String> before = draft.memory().chunksOf(document.id());
            draft.emit(meta -> new DocumentRetained(meta, document));
            queueChanges(draft, retain, before, document);
        }
        draft.conclude(outcome(draft, retain, document, isNew));
        FactExtraction.startNext(draft);
    }

    private static Outcome.Retained outcome(MemoryDraft draft, Retain retain, Document document, boolean isNew) {
        return new Outcome.Retained(
                draft.state().key(),
                retain.meta().commandId(),
                draft.state().open().id(),
                document.id(),
                document.contentHash(),
                isNew);
    }

    private static boolean isRefused(MemoryDraft draft, Retain retain) {
        long characters = characters(retain);
        if (retain.sayings().stream().allMatch(utterance -> utterance.text().isBlank())) {
            draft.refuse("empty_document", "the document has no content to remember");
        } else if (characters > Document.MAX_LENGTH) {
            draft.refuse(
                    "document_too_long",
                    "a document has at most %,d characters, not %,d: give it in parts"
                            .formatted(Document.MAX_LENGTH, characters));
        } else if (retain.tags().size() > Document.MAX_TAGS) {
            draft.refuse("too_many_tags", "a document has at most " + Document.MAX_TAGS + " tags");
        } else if (retain.forgetAt() != null && !retain.forgetAt().isAfter(draft.now())) {
            draft.refuse("too_late", "it is to be forgotten at a time that has passed");
        } else if (draft.state().isErased(retain.session(), retain.meta().at())) {
            draft.refuse("erased", "the session in which it was said is erased");
        } else if (draft.state().pending() >= MAX_QUEUED) {
            draft.refuse("bank_busy", "too much waits to be read in this bank: give it again later");
        } else {
            return false;
        }
        return true;
    }

    private static long characters(Retain retain) {
        return retain.sayings().stream()
                .mapToLong(utterance -> utterance.text().length())
                .sum();
    }

    /**
     * The outcome of a duplicate command id: the first one if the content is equal, otherwise a rejection, because the
     * new content would be lost.
     */
    static Outcome duplicate(Retain retain, Outcome.Retained before) {
        Document document = document(retain, TimeZones.UTC); // content and id do not depend on the zone
        return document.id().equals(before.docId()) && document.contentHash().equals(before.contentHash())
                ? before
                : new Outcome.Refused(
                        before.key(),
                        before.commandId(),
                        "idempotency_mismatch",
                        "the idempotency key was used for another document: use a new key");
    }

    /** The id is in use: erasing one document would erase the other. */
    private static boolean isIdTaken(MemoryDraft draft, UUID id) {
        boolean taken = draft.memory().hasUnit(id) || draft.memory().hasReflection(id);
        if (taken) {
            draft.refuse("id_taken", "a unit has this id: give the document another name");
        }
        return taken;
    }

    private static boolean isFull(MemoryDraft draft, Document document) {
        BankQuota allowance = draft.state().budget().allowance();
        long bytes = draft.memory().bytes();
        if (!draft.hasRoom()) {
            draft.refuse(
                    "bank_full",
                    "the bank may know %,d units, and does: forget some, or allow it more"
                            .formatted(allowance.units()));
        } else if (bytes + document.bytes() > allowance.bytes()) {
            draft.refuse(
                    "bank_full",
                    "the bank may hold %,d bytes and has %,d: %,d more are too many. Forget some, or allow it more"
                            .formatted(allowance.bytes(), bytes, document.bytes()));
        } else {
            return false;
        }
        return true;
    }

    private static Document document(Retain retain, ZoneId zone) {
        var pieces = new ArrayList<Piece>();
        for (int i = 0; i < retain.sayings().size(); i++) {
            for (TextChunk chunk : Chunks.of(retain.sayings().get(i).text())) {
                pieces.add(new Piece(i, chunk.from(), chunk.to(), chunk.sha256()));
            }
        }
        return new Document(
                retain.docId(),
                retain.session(),
                retain.turnId(),
                retain.turnSeq(),
                contentHash(retain),
                retain.sayings(),
                retain.context(),
                retain.tags(),
                retain.mentionedAt(),
                pieces,
                retain.forgetAt(),
                zone.equals(TimeZones.UTC) ? null : zone.getId());
    }

    private static String contentHash(Retain retain) {
        return Sha256.hex(retain.sayings().stream()
                .map(Utterance::hashInput)
                .collect(Collectors.joining(
                        "\u0002",
                        String.join("\u0001", retain.tags()) + "\u0002",
                        retain.forgetAt() == null ? "" : "\u0003" + retain.forgetAt())));
    }

    /** Queues new chunks, and retires the units of removed ones. */
    private static void queueChanges(MemoryDraft draft, Retain retain, List<String> before, Document document) {
        TextDelta delta = TextDelta.between(before, chunks(document));
        List<UUID> removed = delta.removed().stream()
                .sorted()
                .flatMap(chunk -> draft.memory().unitsOf(document.id(), chunk).stream())
                .toList();
        Observations.retire(draft, removed, "the document no longer says it");
        delta.added()
                .forEach(chunk ->
                        enqueue(draft, new Waiting(document.id(), chunk.sha256(), draft.readerOr(retain.reader()))));
    }

    private static List<TextChunk> chunks(Document document) {
        var chunks = new ArrayList<TextChunk>();
        for (Piece piece : document.chunks()) {
            chunks.add(new TextChunk(chunks.size(), document.text(piece), piece.from(), piece.to(), piece.hash()));
        }
        return chunks;
    }

    private static void enqueue(MemoryDraft draft, Waiting waiting) {
        BankState state = draft.state();
        draft.effect(new MemoryEffect.Enqueue(state.waitingNext(), waiting));
        draft.change(now -> now.waiting(now.waitingFrom(), now.waitingNext() + 1));
    }
}
