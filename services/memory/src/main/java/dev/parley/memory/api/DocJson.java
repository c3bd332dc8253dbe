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

/**
 * A document that a bank remembers: a turn, or any text.
 *
 * @param session Session in which it was said, as {project}/{key}; null if it is not from a session.
 * @param turn Id of the turn; null if the document is not a turn.
 * @param context Context of the document, for its readers.
 * @param mentionedAt Time at which it was said.
 * @param forgetAt Time at which it will be forgotten; null for never.
 * @param contentHash SHA-256 of the whole content.
 * @param waiting Number of chunks that are not read yet.
 * @param seq Number of the event that last changed it.
 * @param text The whole text; null in lists.
 * @param sayings Speakers of the parts of the text; null in lists.
 * @param chunks Chunks in which the text is read; null in lists.
 * @param units Units found in the document that are held to be true, at most 200; null in lists.
 */
@Serdeable
@MappedEntity(value = "agent_memory_doc_t", schema = "memory")
@RecordBuilder
@Schema(name = "MemoryDocument")
record DocJson(
        UUID id,
        @Nullable String session,
        @Nullable UUID turn,
        @Nullable String context,
        @TypeDef(type = DataType.JSON) List<String> tags,
        @Nullable @TypeDef(type = DataType.JSON) Instant mentionedAt,
        @Nullable @TypeDef(type = DataType.JSON) Instant forgetAt,
        String contentHash,
        int waiting,
        long seq,
        Instant updatedAt,
        @Nullable String text,
        @Nullable @TypeDef(type = DataType.JSON) List<PartJson> sayings,
        @Nullable @TypeDef(type = DataType.JSON) List<ChunkJson> chunks,
        @Nullable @TypeDef(type = DataType.JSON) List<UnitJson> units)
        implements DocJsonBuilder.With {
    /**
     * The speaker of a part of a document's text.
     *
     * @param role Role of the speaker: user, assistant or tool.
     * @param from Index of the part's first character in the text, in UTF-16 units.
     * @param to Index after the part's last character, in UTF-16 units.
     */
    @Serdeable
    @Schema(name = "MemorySaying")
    record PartJson(String role, @Nullable String speaker, int from, int to) {}

    /**
     * A piece of a document that is read as a whole.
     *
     * @param hash SHA-256 of the chunk's text; the provenance of units refers to it.
     * @param from Index of the chunk's first character in the text, in UTF-16 units.
     * @param to Index after the chunk's last character, in UTF-16 units.
     * @param waiting True if the chunk is not read yet.
     */
    @Serdeable
    @Schema(name = "MemoryChunk")
    record ChunkJson(String hash, int from, int to, boolean waiting) {}

    /**
     * A document, or a list of several.
     *
     * @param text Text of the document; at most 1,048,576 characters.
     * @param sayings Utterances with their speakers, instead of text; at most 1,000.
     * @param id Id of a document, or a name of at most 200 characters chosen by the client. A document with the same id
     *     is replaced. Without an id, documents with the same content are the same document.
     * @param context Context of the document, for its readers; at most 2,000 characters.
     * @param tags At most 50 tags of at most 200 characters.
     * @param mentionedAt Time at which it was said. Defaults to now.
     * @param forgetAt Time at which the document and everything derived from it are forgotten, within an hour. Defaults
     *     to never.
     * @param documents Several documents, at most 100; cannot be combined with other fields.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "Retain")
    record RetainJson(
            @Nullable String text,
            @Nullable List<SaidJson> sayings,
            @Nullable String id,
            @Nullable String context,
            @Nullable List<String> tags,
            @Nullable Instant mentionedAt,
            @Nullable Instant forgetAt,
            @Nullable List<GivenJson> documents) {
        /** The single document, for a request without {@code documents}. */
        GivenJson singleDocument() {
            return new GivenJson(text, sayings, id, context, tags, mentionedAt, forgetAt);
        }
    }

    /** One of several documents; the fields have the same meaning as those of Retain. */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "RetainDocument")
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

    /**
     * An utterance of one speaker.
     *
     * @param role Role of the speaker: user, assistant or tool. Defaults to user.
     * @param speaker Name of the speaker; at most 200 characters.
     */
    @Serdeable
    @JsonIgnoreProperties(ignoreUnknown = false)
    @Schema(name = "RetainSaying")
    record SaidJson(
            @Nullable String role,
            @Nullable String speaker,
            @Nullable String text) {}

    /**
     * The progress of a document that was given to a bank; kept for a week.
     *
     * @param document Id of the document.
     * @param state State: pending (not taken in yet, or found only by its words), done (read completely) or refused.
     * @param waiting Number of chunks that are not read yet; null if unknown.
     * @param code Reason of the refusal, as a code for programs; null if not refused.
     * @param message Reason of the refusal, as a text for people; null if not refused.
     */
    @Serdeable
    @Schema(name = "MemoryOperation")
    record OperationJson(
            UUID id,
            UUID document,
            String state,
            @Nullable Integer waiting,
            @Nullable String code,
            @Nullable String message) {
        boolean isPending() {
            return state.equals("pending");
        }
    }

    /** The progress of the given documents, in the same order. */
    @Serdeable
    @Schema(name = "MemoryOperations")
    record OperationsJson(List<OperationJson> operations) {}
}
