package dev.parley.memory.api;

import dev.parley.domain.Ids;
import dev.parley.domain.Sha256;
import dev.parley.domain.bank.BankRef;
import dev.parley.domain.content.Role;
import dev.parley.domain.memory.Document;
import dev.parley.domain.memory.MemoryCommand.Retain;
import dev.parley.domain.memory.Utterance;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.memory.api.DocJson.GivenJson;
import dev.parley.memory.api.DocJson.SaidJson;
import dev.parley.platform.http.ApiException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A validated document of a retain request. */
record RetainRequest(
        @Nullable String id,
        List<Utterance> sayings,
        @Nullable String context,
        List<String> tags,
        Instant mentionedAt,
        @Nullable Instant forgetAt) {
    private static final int MAX_SAYINGS = 1_000;
    private static final int MAX_CONTEXT_LENGTH = 2_000;
    private static final int MAX_WORD_LENGTH = 200;
    private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

    /**
     * Validates a document.
     *
     * @throws ApiException where it is not valid
     */
    static RetainRequest of(GivenJson json, Instant now) {
        List<Utterance> sayings = toUtterances(json);
        requireText(sayings);
        Instant mentionedAt = Objects.requireNonNullElse(json.mentionedAt(), now);
        requireYear("mentionedAt", mentionedAt);
        Instant forgetAt = json.forgetAt();
        requireYear("forgetAt", forgetAt);
        if (forgetAt != null && json.mentionedAt() != null && !forgetAt.isAfter(mentionedAt)) {
            throw invalid("forgetAt", "must be later than 'mentionedAt'");
        }
        return new RetainRequest(
                optional("id", json.id(), MAX_WORD_LENGTH),
                sayings,
                optional("context", json.context(), MAX_CONTEXT_LENGTH),
                tags(json.tags()),
                mentionedAt,
                forgetAt);
    }

    private static void requireText(List<Utterance> sayings) {
        long characters = sayings.stream()
                .mapToLong(utterance -> utterance.text().length())
                .sum();
        if (characters > Document.MAX_LENGTH) {
            throw ApiException.tooLarge("A document has at most %,d characters, not %,d: split it"
                    .formatted(Document.MAX_LENGTH, characters));
        }
        if (sayings.stream().allMatch(utterance -> utterance.text().isBlank())) {
            throw ApiException.badRequest("empty_document", "The document has no text");
        }
    }

    private static void requireYear(String field, @Nullable Instant time) {
        if (time != null && (time.isBefore(FIRST) || time.isAfter(LAST))) {
            throw invalid(field, "is a time between the years 1 and 9999");
        }
    }

    private static List<Utterance> toUtterances(GivenJson json) {
        List<SaidJson> sayings = json.sayings();
        if ((json.text() == null) == (sayings == null)) {
            throw ApiException.badRequest("missing_field", "A document has either a 'text' or 'sayings'");
        }
        if (sayings == null) {
            return List.of(new Utterance(Role.USER, null, requireEncodable("text", json.text())));
        }
        if (sayings.size() > MAX_SAYINGS) {
            throw invalid("sayings", "is a list of at most %,d".formatted(MAX_SAYINGS));
        }
        return sayings.stream().map(RetainRequest::utterance).toList();
    }

    private static Utterance utterance(@Nullable SaidJson json) {
        if (json == null || json.text() == null) {
            throw ApiException.badRequest("missing_field", "Each of 'sayings' has a 'text'");
        }
        Role role = switch (Objects.requireNonNullElse(json.role(), "user")) {
            case "user" -> Role.USER;
            case "assistant" -> Role.ASSISTANT;
            case "tool" -> Role.TOOL;
            default -> throw invalid("role", "is user, assistant or tool");
        };
        return new Utterance(
                role, optional("speaker", json.speaker(), MAX_WORD_LENGTH), requireEncodable("text", json.text()));
    }

    /** Validated tags, without duplicates. */
    static List<String> tags(@Nullable List<String> tags) {
        List<String> values = Objects.requireNonNullElse(tags, List.of());
        if (values.size() > Document.MAX_TAGS) {
            throw ApiException.badRequest("too_many_tags", "There are at most " + Document.MAX_TAGS + " tags");
        }
        return values.stream()
                .map(tag -> {
                    String value = optional("tags", tag, MAX_WORD_LENGTH);
                    if (value == null) {
                        throw invalid("tags", "contains an empty tag");
                    }
                    return value;
                })
                .distinct()
                .toList();
    }

    /** An optional text; a blank one is null. */
    static @Nullable String optional(String field, @Nullable String value, int limit) {
        if (value == null || value.isBlank()) {
            return null;
        }
        if (value.length() > limit) {
            throw invalid(field, "has at most %,d characters".formatted(limit));
        }
        return requireEncodable(field, value);
    }

    private static String requireEncodable(String field, @Nullable String value) {
        String text = Objects.requireNonNullElse(value, "");
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw invalid(field, "contains half of a surrogate pair");
        }
        return text;
    }

    private static ApiException invalid(String field, String problem) {
        return ApiException.badRequest("invalid_field", "The field '" + field + "' " + problem);
    }

    /** The command that retains it in a bank. */
    Retain command(CommandMeta meta, BankRef bank) {
        return new Retain(
                meta, bank, docId(bank), null, null, null, sayings, context, tags, mentionedAt, null, forgetAt);
    }

    /** The id of the document: the given UUID, or derived from the given name or the content. */
    UUID docId(BankRef bank) {
        if (id == null) {
            String content = sayings.stream().map(Utterance::hashInput).collect(Collectors.joining("\u0002"));
            return Ids.of("doc", bank.id(), "says", Sha256.hex(content));
        }
        if (!Ids.isId(id) && Ids.isId(id.toLowerCase(Locale.ROOT))) {
            throw invalid("id", "is a UUID in lower case, or a name");
        }
        return Ids.isId(id) ? Ids.parse(id) : Ids.of("doc", bank.id(), "named", id);
    }
}
