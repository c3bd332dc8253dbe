package dev.parley.control.definitions;

import dev.parley.domain.definition.Definition;
import dev.parley.platform.database.Transaction;
import dev.parley.platform.definitions.CatalogueScope;
import dev.parley.platform.document.Document;
import dev.parley.platform.document.Stored;
import dev.parley.platform.json.JsonMappers;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.function.Function;

/**
 * A table of the catalogue and the type of its rows.
 *
 * @param kind its name in keys, error codes and messages
 * @param name name of the table
 * @param type JSON form
 * @param hasVersions whether several versions of an entry coexist
 * @param definition converts an entry to its published definition
 */
public record CatalogueTable<B extends DefinitionEntry>(
        String kind, String name, Class<B> type, boolean hasVersions, Function<B, ? extends Definition> definition) {
    public static final CatalogueTable<ToolJson> TOOL =
            new CatalogueTable<>("tool", "control.tool_t", ToolJson.class, true, ToolJson::toDefinition);

    public static final CatalogueTable<SkillEntry> SKILL =
            new CatalogueTable<>("skill", "control.skill_t", SkillEntry.class, true, SkillEntry::skill);

    public static final CatalogueTable<EndpointJson> ENDPOINT = new CatalogueTable<>(
            "endpoint", "control.endpoint_t", EndpointJson.class, false, EndpointJson::toDefinition);

    private static final JsonMapper JSON = JsonMappers.bodies();

    /** The name of a version in keys, as {@link Definition#recordName}. */
    public String recordName(String entry, String version) {
        return hasVersions ? entry + "@" + version : entry;
    }

    /**
     * The definition to publish under a key; empty where it is deleted or disabled.
     *
     * @throws dev.parley.platform.document.InvalidDocumentException where this build refuses it
     */
    public Optional<? extends Definition> findPublished(Transaction transaction, String key) {
        String recordName = key.substring(key.lastIndexOf('/') + 1);
        int nameEnd = hasVersions ? recordName.indexOf('@') : recordName.length();
        String version = hasVersions ? recordName.substring(nameEnd + 1) : EndpointJson.VERSION;
        return new CatalogueRows<>(transaction, this, CatalogueScope.of(key))
                .locked(recordName.substring(0, nameEnd), version)
                .map(row -> row.stored().require())
                .filter(DefinitionEntry::enabled)
                .map(definition);
    }

    /** The entry in a column. */
    public Stored<B> read(String json) {
        Document<? extends Record> document = Document.of(type.asSubclass(Record.class));
        return Stored.ofJson(json, stored -> type.cast(document.read(stored)));
    }

    /** An entry as its column stores it. */
    public JsonNode write(B body) {
        try {
            return JSON.writeValueToTree(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
