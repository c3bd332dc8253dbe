package dev.parley.memory.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.TypeDef;
import io.micronaut.data.model.DataType;
import io.micronaut.serde.annotation.Serdeable;
import io.soabase.recordbuilder.core.RecordBuilder;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A document as the API returns it. */
@Serdeable
@MappedEntity(value = "agent_memory_doc_t", schema = "memory")
@RecordBuilder
@Schema(name = "MemoryDocument", description = "A document that a bank remembers: a turn, or any text.")
record DocJson(
        UUID id,

        @Schema(description = "Session in which it was said, as {project}/{key}; null if it is not from a session.")
        @Nullable
        String session,

        @Schema(description = "Id of the turn; null if the document is not a turn.") @Nullable
        UUID turn,

        @Schema(description = "Context of the document, for its readers.") @Nullable
        String context,

        @TypeDef(type = DataType.JSON) List<String> tags,

        @Schema(description = "Time at which it was said.") @Nullable @TypeDef(type = DataType.JSON)
        Instant mentionedAt,

        @Schema(description = "Time at which it will be forgotten; null for never.")
        @Nullable
        @TypeDef(type = DataType.JSON)
        Instant forgetAt,

        @Schema(description = "SHA-256 of the whole content.")
        String contentHash,

        @Schema(description = "Number of chunks that are not read yet.")
        int waiting,

        @Schema(description = "Number of the event that last changed it.")
        long seq,

        Instant updatedAt,

        @Schema(description = "The whole text; null in lists.") @Nullable
        String text,

        @Schema(description = "Speakers of the parts of the text; null in lists.")
        @Nullable
        @TypeDef(type = DataType.JSON)
        List<PartJson> sayings,

        @Schema(description = "Chunks in which the text is read; null in lists.")
        @Nullable
        @TypeDef(type = DataType.JSON)
        List<ChunkJson> chunks,

        @Schema(description = "Units found in the document that are held to be true, at most 200; null in lists.")
        @Nullable
        @TypeDef(type = DataType.JSON)
        List<UnitJson> units)
        implements DocJsonBuilder.With {
    @Serdeable
    @Schema(name = "MemorySaying", description = "The speaker of a part of a document's text.")
    record PartJson(
            @Schema(description = "Role of the speaker: user, assistant or tool.")
            String role,

            @Nullable String speaker,

            @Schema(description = "Index of the part's first character in the text, in UTF-16 units.")
            int from,

            @Schema(description = "Index after the part's last character, in UTF-16 units.")
            int to) {}

    @Serdeable
    @Schema(name = "MemoryChunk", description = "A piece of a document that is read as a whole.")
    record ChunkJson(
            @Schema(description = "SHA-256 of the chunk's text; the provenance of units refers to it.")
            String hash,

            @Schema(description = "Index of the chunk's first character in the text, in UTF-16 units.")
            int from,

            @Schema(description = "Index after the chunk's last character, in UTF-16 units.")
            int to,

            @Schema(description = "True if the chunk is not read yet.")
            boolean waiting) {}

    /** A retain request: one document, or several. */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "Retain", description = "A document, or a list of several.")
    record RetainJson(
            @Schema(description = "Text of the document; at most 1,048,576 characters.") @Nullable
            String text,

            @Schema(description = "Utterances with their speakers, instead of text; at most 1,000.") @Nullable
            List<SaidJson> sayings,

            @Schema(
                    description = "Id of a document, or a name of at most 200 characters chosen by the client. A "
                            + "document with the same id is replaced. Without an id, documents with the same "
                            + "content are the same document.")
            @Nullable
            String id,

            @Schema(description = "Context of the document, for its readers; at most 2,000 characters.") @Nullable
            String context,

            @Schema(description = "At most 50 tags of at most 200 characters.") @Nullable
            List<String> tags,

            @Schema(description = "Time at which it was said. Defaults to now.") @Nullable
            Instant mentionedAt,

            @Schema(
                    description = "Time at which the document and everything derived from it are forgotten, within an "
                            + "hour. Defaults to never.")
            @Nullable
            Instant forgetAt,

            @Schema(description = "Several documents, at most 100; cannot be combined with other fields.") @Nullable
            List<GivenJson> documents) {
        /** The single document, for a request without {@code documents}. */
        GivenJson singleDocument() {
            return new GivenJson(text, sayings, id, context, tags, mentionedAt, forgetAt);
        }
    }

    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(
            name = "RetainDocument",
            description = "One of several documents; the fields have the same meaning as those of Retain.")
    record GivenJson(
            @Nullable String text,
            @Nullable List<SaidJson> sayings,
            @Nullable String id,
            @Nullable String context,
            @Nullable List<String> tags,
            @Nullable Instant mentionedAt,
            @Nullable Instant forgetAt) {
        static final GivenJson NONE = new GivenJson(null, null, null, null, null, null, null);
    }

    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "RetainSaying", description = "An utterance of one speaker.")
    record SaidJson(
            @Schema(description = "Role of the speaker: user, assistant or tool. Defaults to user.") @Nullable
            String role,

            @Schema(description = "Name of the speaker; at most 200 characters.") @Nullable
            String speaker,

            @Nullable String text) {}

    /** Progress of a retained document. */
    @Serdeable
    @Schema(
            name = "MemoryOperation",
            description = "The progress of a document that was given to a bank; kept for a week.")
    record OperationJson(
            UUID id,
            @Schema(description = "Id of the document.") UUID document,

            @Schema(
                    description = "State: pending (not taken in yet, or found only by its words), done (read "
                            + "completely) or refused.")
            String state,

            @Schema(description = "Number of chunks that are not read yet; null if unknown.") @Nullable
            Integer waiting,

            @Schema(description = "Reason of the refusal, as a code for programs; null if not refused.") @Nullable
            String code,

            @Schema(description = "Reason of the refusal, as a text for people; null if not refused.") @Nullable
            String message) {
        boolean isPending() {
            return state.equals("pending");
        }
    }

    /** Progress of several documents. */
    @Serdeable
    @Schema(name = "MemoryOperations", description = "The progress of the given documents, in the same order.")
    record OperationsJson(List<OperationJson> operations) {}
}
