package dev.parley.control.archive;

import dev.parley.control.definitions.ArchivedKind;
import dev.parley.control.definitions.DefinitionScope;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.platform.access.AccessDirectory;
import dev.parley.platform.archive.ProjectPart;
import dev.parley.platform.http.ApiException;
import dev.parley.platform.http.Caller;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;

/** Definitions of a project in its archive: one file per kind, as of the export. */
@Singleton
final class DefinitionsPart implements ProjectPart {
    /** Import order: later kinds refer to earlier ones. */
    private static final List<String> ORDER = List.of("tools", "skills", "agents", "rules");

    private static final String SUFFIX = ".json";
    private static final int MAX_BYTES = 64 << 20;

    private final List<ArchivedKind> kinds;
    private final AccessDirectory directory;
    private final JsonMapper json;

    DefinitionsPart(List<ArchivedKind> kinds, AccessDirectory directory, JsonMapper json) {
        this.kinds = kinds.stream()
                .sorted(Comparator.comparingInt(kind -> ORDER.indexOf(kind.name())))
                .toList();
        this.directory = directory;
        this.json = json;
    }

    @Override
    public String folder() {
        return "definitions";
    }

    private DefinitionScope scope(Project project, UUID user) throws IOException {
        Caller caller = Caller.inNameOf(project.host(), user, directory)
                .orElseThrow(() -> new IOException("the user who requested this no longer has access"));
        return new DefinitionScope(caller, project);
    }

    @Override
    public Written write(Project project, UUID user, Instant time, Entries entries) throws IOException {
        var counts = new TreeMap<String, Long>();
        DefinitionScope scope = scope(project, user);
        for (ArchivedKind kind : kinds) {
            List<JsonNode> definitions = kind.export(scope);
            try (OutputStream out = entries.begin(kind.name() + SUFFIX)) {
                out.write(json.writeValueAsBytes(definitions));
            }
            counts.put(kind.name(), (long) definitions.size());
        }
        return new Written(counts, Set.of());
    }

    @Override
    public Stream<UUID> turns(Archived from) {
        return Stream.empty();
    }

    @Override
    public List<String> read(Project project, UUID user, Names names, Archived from) throws IOException {
        var leftOut = new ArrayList<String>();
        DefinitionScope scope = scope(project, user);
        for (ArchivedKind kind : kinds) {
            if (from.names().contains(kind.name() + SUFFIX)) {
                for (JsonNode definition : read(from, kind.name() + SUFFIX)) {
                    importOne(kind, scope, definition)
                            .ifPresent(reason ->
                                    leftOut.add("%s %s: %s".formatted(kind.name(), displayName(definition), reason)));
                }
            }
        }
        return leftOut;
    }

    private List<JsonNode> read(Archived from, String name) throws IOException {
        try (InputStream in = from.open(name)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new IOException("definitions/" + name + " of the archive is too large");
            }
            return Objects.requireNonNull(json.readValue(bytes, Argument.listOf(JsonNode.class)));
        }
    }

    private static Optional<String> importOne(ArchivedKind kind, DefinitionScope scope, JsonNode definition)
            throws IOException {
        try {
            return kind.importOne(scope, definition);
        } catch (ApiException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** The name of a definition, for people. */
    private static String displayName(JsonNode definition) {
        for (String field : List.of("name", "tool")) {
            JsonNode value = definition.get(field);
            if (value != null && value.isString()) {
                return "'" + value.getStringValue() + "'";
            }
        }
        return "without a name";
    }
}
