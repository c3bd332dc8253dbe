package dev.parley.tools.files;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.platform.archive.ProjectPart;
import dev.parley.platform.json.JsonMappers;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The part of project archives with the files: {@code versions.jsonl.gz} with one line per version, file after file,
 * and {@code bytes/{sha256}} for binary content. Snapshots are not exported. It runs where archives are made, which
 * need not have the role {@code tools}: tables and blob store are shared.
 */
@Singleton
@Requires(property = "parley.role.sessions", value = "true")
final class FilesPart implements ProjectPart {
    private static final String LINES = "versions.jsonl.gz";
    private static final String BYTES = "bytes/";
    private static final UUID FIRST = new UUID(0, 0);
    private static final int PAGE = 100;

    /** Maximum characters of a line: a text, whose characters may take six in JSON, and its attributes. */
    private static final int MAX_LINE = 6 * Contents.MAX_TEXT + (1 << 16);

    private final Workspaces workspaces;
    private final ObjectMapper json = JsonMappers.stored();

    FilesPart(Workspaces workspaces) {
        this.workspaces = workspaces;
    }

    @Override
    public String folder() {
        return "files";
    }

    @Override
    public Written write(Project project, UUID user, Instant time, Entries entries) throws IOException {
        Workspace workspace = workspaces.of(project.host(), project.project());
        var exporter = new Exporter(workspace, time);
        var counts = new TreeMap<>(Map.of("files", 0L, "fileVersions", 0L));
        try (OutputStream out = new GZIPOutputStream(entries.begin(LINES))) {
            List<UUID> page = workspaces.exist() ? workspace.archived(FIRST, time, PAGE) : List.of();
            while (!page.isEmpty()) {
                for (UUID file : page) {
                    long versions = exporter.write(file, out);
                    counts.merge("files", versions == 0 ? 0L : 1L, Long::sum);
                    counts.merge("fileVersions", versions, Long::sum);
                }
                page = workspace.archived(page.getLast(), time, PAGE);
            }
        }
        for (var bytes : exporter.bytes.entrySet()) {
            try (OutputStream out = entries.begin(BYTES + bytes.getKey())) {
                out.write(exporter.content(bytes.getValue()).bytes());
            }
        }
        return new Written(counts, exporter.people);
    }

    /** Exports files, one after the other. */
    private final class Exporter {
        private final Workspace workspace;
        private final Instant time;
        /** Binary content by SHA-256: a version with it. */
        private final SortedMap<String, ArchivedVersion> bytes = new TreeMap<>();

        private final Set<String> people = new HashSet<>();

        Exporter(Workspace workspace, Instant time) {
            this.workspace = workspace;
            this.time = time;
        }

        /** Writes the versions of a file; returns their number. */
        long write(UUID file, OutputStream out) throws IOException {
            int last = 0;
            List<FileVersion> page = workspace.archived(file, last, time, PAGE);
            while (!page.isEmpty()) {
                for (FileVersion version : page) {
                    out.write(json.writeValueAsBytes(line(version)));
                    out.write('\n');
                }
                last = page.getLast().version();
                page = workspace.archived(file, last, time, PAGE);
            }
            return last;
        }

        private ArchivedVersion line(FileVersion listed) {
            ArchivedVersion version = ArchivedVersion.of(listed);
            if (!listed.byAgent()) {
                people.add(version.author());
            }
            String sha256 = version.sha256();
            if (sha256 == null) {
                return version;
            }
            String text = listed.text() ? content(version).utf8() : null;
            if (text != null) {
                return version.with(text);
            }
            bytes.putIfAbsent(sha256, version);
            return version;
        }

        FileData content(ArchivedVersion version) {
            return workspace.read(version.file(), version.version());
        }
    }

    @Override
    public Stream<UUID> turns(Archived from) throws IOException {
        var turns = new HashSet<UUID>();
        lines(from, line -> {
            add(turns, line.turn());
            add(turns, line.top());
        });
        return turns.stream();
    }

    private static void add(Set<UUID> turns, @Nullable UUID turn) {
        if (turn != null) {
            turns.add(turn);
        }
    }

    @Override
    public List<String> read(Project project, UUID user, Names names, Archived from) throws IOException {
        if (!workspaces.exist()) {
            return List.of(
                    "files: no instance with the role tools has run yet; start one, and import the archive again");
        }
        var importer = new Importer(workspaces.of(project.host(), project.project()));
        lines(from, line -> {
            ArchivedVersion version = relocate(line, names);
            importer.add(version, () -> content(line, from));
        });
        importer.end();
        return importer.leftOut;
    }

    /** Reads the content of a version on demand. */
    @FunctionalInterface
    private interface ContentReader {
        @Nullable
        FileData read() throws IOException;
    }

    /** Imports files, one after the other. */
    private static final class Importer {
        private final Workspace workspace;
        private final List<String> leftOut = new ArrayList<>();
        private @Nullable ArchivedVersion last;
        private boolean refused;

        Importer(Workspace workspace) {
            this.workspace = workspace;
        }

        void add(ArchivedVersion version, ContentReader reader) throws IOException {
            if (last == null || !last.file().equals(version.file())) {
                end();
            }
            last = version;
            if (!refused && !workspace.hasImported(version)) {
                FileData content = reader.read();
                orRefuse(version, () -> workspace.importVersion(version, content));
            }
        }

        /** Shows a file when its import is complete. */
        void end() {
            ArchivedVersion complete = last;
            if (complete != null && !refused) {
                orRefuse(complete, () -> workspace.publishImported(complete));
            }
            refused = false;
        }

        private void orRefuse(ArchivedVersion version, Runnable change) {
            try {
                change.run();
            } catch (WorkspaceException | DateTimeException e) {
                refused = true;
                leftOut.add("the file %s: %s".formatted(version.path(), e.getMessage()));
            }
        }
    }

    private static ArchivedVersion relocate(ArchivedVersion old, Names names) {
        UUID turn = old.turn();
        return new ArchivedVersion(
                names.other(old.file()),
                old.path(),
                old.version(),
                old.mime(),
                old.metadata(),
                null,
                old.sha256(),
                old.by(),
                old.by().equals(ArchivedVersion.USER) ? names.person(old.author()) : old.author(),
                turn == null || old.session() == null ? old.session() : names.session(turn, old.session()),
                turn == null ? null : names.turn(turn),
                old.top() == null ? null : names.turn(old.top()),
                old.step(),
                turn == null || old.call() == null ? null : names.call(turn, old.call()),
                old.at());
    }

    private static @Nullable FileData content(ArchivedVersion line, Archived from) throws IOException {
        if (line.sha256() == null) {
            return null;
        }
        String text = line.text();
        if (text != null) {
            return FileData.of(text);
        }
        try (InputStream in = from.open(BYTES + line.sha256())) {
            return FileData.of(in.readNBytes(Workspace.MAX_BYTES + 1));
        }
    }

    /** Receives lines. */
    @FunctionalInterface
    private interface Lines {
        void accept(ArchivedVersion line) throws IOException;
    }

    private void lines(Archived from, Lines lines) throws IOException {
        if (!from.names().contains(LINES)) {
            return;
        }
        try (var in = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(from.open(LINES)), StandardCharsets.UTF_8))) {
            for (String line = line(in); line != null; line = line(in)) {
                lines.accept(Objects.requireNonNull(json.readValue(line, ArchivedVersion.class)));
            }
        } catch (JacksonException e) {
            throw new IOException("a file of the archive cannot be read: " + e.getOriginalMessage(), e);
        }
    }

    /** The next line, bounded because archives are untrusted; null at the end. */
    private static @Nullable String line(BufferedReader in) throws IOException {
        var line = new StringBuilder();
        for (int c = in.read(); c >= 0; c = in.read()) {
            if (c == '\n') {
                return line.toString();
            }
            if (line.length() >= MAX_LINE) {
                throw new IOException("a file of the archive is too long");
            }
            line.append((char) c);
        }
        return line.isEmpty() ? null : line.toString();
    }
}
