package dev.parley.tools.files;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.parley.domain.access.AccessRecord.Project;
import dev.parley.platform.archive.ProjectPart;
import dev.parley.platform.blob.BlobStore;
import dev.parley.platform.database.Database;
import dev.parley.tools.files.ArchivedRows.Listed;
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
 * The files of a project in archives: {@code versions.jsonl.gz} with a line for each version, file after file, and {@code bytes/{sha256}}
 * for what is no text. Snapshots stay behind. It is where archives are made, whichever process has the role {@code tools}: the tables and the
 * blob folder are those of all.
 */
@Singleton
@Requires(property = "parley.role.sessions", value = "true")
final class FilesPart implements ProjectPart {
    private static final String LINES = "versions.jsonl.gz";
    private static final String BYTES = "bytes/";
    private static final UUID FIRST = new UUID(0, 0);
    private static final int PAGE = 100;

    /** A line is a text and what is said of it; in JSON a character may be six. */
    private static final int LONGEST_LINE = 6 * Contents.MOST_TEXT + (1 << 16);

    private final Workspaces workspaces;
    private final ObjectMapper json = new ObjectMapper();

    FilesPart(Database database, BlobStore blobs) {
        this.workspaces = Workspaces.in(database, blobs);
    }

    @Override
    public String folder() {
        return "files";
    }

    // ---- out

    @Override
    public Written write(Project project, UUID by, Instant at, Entries entries) throws IOException {
        var leaving = new Leaving(project, at);
        var counts = new TreeMap<>(Map.of("files", 0L, "fileVersions", 0L));
        try (OutputStream out = new GZIPOutputStream(entries.begin(LINES))) {
            List<UUID> page = workspaces.areThere() ? files(project, FIRST, at) : List.of();
            while (!page.isEmpty()) {
                for (UUID file : page) {
                    long versions = leaving.write(file, out);
                    counts.merge("files", versions == 0 ? 0L : 1L, Long::sum);
                    counts.merge("fileVersions", versions, Long::sum);
                }
                page = files(project, page.getLast(), at);
            }
        }
        for (var bytes : leaving.bytes.entrySet()) {
            try (OutputStream out = entries.begin(BYTES + bytes.getKey())) {
                out.write(leaving.content(bytes.getValue()).bytes());
            }
        }
        return new Written(counts, leaving.people);
    }

    private List<UUID> files(Project project, UUID after, Instant at) {
        return workspaces.archived(project.host(), project.project(), rows -> rows.files(after, at, PAGE));
    }

    /** Files on their way out, one after the other. */
    private final class Leaving {
        private final Project project;
        private final Instant at;
        /** What is no text, by its SHA-256: a version that has it. */
        private final SortedMap<String, ArchivedVersion> bytes = new TreeMap<>();

        private final Set<String> people = new HashSet<>();

        Leaving(Project project, Instant at) {
            this.project = project;
            this.at = at;
        }

        /** Writes the versions of a file. @return how many there were then */
        long write(UUID file, OutputStream out) throws IOException {
            int last = 0;
            List<Listed> page = versions(file, last);
            while (!page.isEmpty()) {
                for (Listed listed : page) {
                    out.write(json.writeValueAsBytes(line(listed)));
                    out.write('\n');
                }
                last = page.getLast().version().version();
                page = versions(file, last);
            }
            return last;
        }

        private List<Listed> versions(UUID file, int after) {
            return workspaces.archived(project.host(), project.project(), rows -> rows.versions(file, after, at, PAGE));
        }

        private ArchivedVersion line(Listed listed) {
            ArchivedVersion version = listed.version();
            if (version.by().equals(ArchivedVersion.USER)) {
                people.add(version.author());
            }
            String sha256 = version.sha256();
            if (sha256 == null) {
                return version;
            }
            if (listed.text()) {
                return version.with(content(version).text());
            }
            bytes.putIfAbsent(sha256, version);
            return version;
        }

        Content content(ArchivedVersion version) {
            return workspaces.archived(project.host(), project.project(), rows -> rows.content(version));
        }
    }

    // ---- in

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
    public List<String> read(Project project, UUID by, Names names, Archived from) throws IOException {
        if (!workspaces.areThere()) {
            return List.of(
                    "files: no process with the role tools has run yet; start one, and import the archive again");
        }
        var arriving = new Arriving(workspaces.of(project.host(), project.project()));
        lines(from, line -> {
            ArchivedVersion version = moved(line, names);
            arriving.take(version, () -> content(line, from));
        });
        arriving.end();
        return arriving.left;
    }

    /** Reads what is in a version, where that is wanted. */
    @FunctionalInterface
    private interface Inside {
        @Nullable
        Content content() throws IOException;
    }

    /** Files on their way in, one after the other. */
    private static final class Arriving {
        private final Workspace workspace;
        private final List<String> left = new ArrayList<>();
        private @Nullable ArchivedVersion last;
        private boolean refused;

        Arriving(Workspace workspace) {
            this.workspace = workspace;
        }

        void take(ArchivedVersion version, Inside inside) throws IOException {
            if (last == null || !last.file().equals(version.file())) {
                end();
            }
            last = version;
            if (!refused && !workspace.has(version)) {
                Content content = inside.content();
                orRefused(version, () -> workspace.bringIn(version, content));
            }
        }

        /** A file is shown when all of it is there. */
        void end() {
            ArchivedVersion whole = last;
            if (whole != null && !refused) {
                orRefused(whole, () -> workspace.show(whole));
            }
            refused = false;
        }

        private void orRefused(ArchivedVersion version, Runnable change) {
            try {
                change.run();
            } catch (WorkspaceException | DateTimeException e) {
                refused = true;
                left.add("the file %s: %s".formatted(version.path(), e.getMessage()));
            }
        }
    }

    private static ArchivedVersion moved(ArchivedVersion old, Names names) {
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

    private static @Nullable Content content(ArchivedVersion line, Archived from) throws IOException {
        if (line.sha256() == null) {
            return null;
        }
        String text = line.text();
        if (text != null) {
            return Content.of(text);
        }
        try (InputStream in = from.open(BYTES + line.sha256())) {
            return Content.of(in.readNBytes(Workspace.MOST_BYTES + 1));
        }
    }

    /** Takes lines. */
    @FunctionalInterface
    private interface Lines {
        void take(ArchivedVersion line) throws IOException;
    }

    private void lines(Archived from, Lines lines) throws IOException {
        if (!from.names().contains(LINES)) {
            return;
        }
        try (var in = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(from.open(LINES)), StandardCharsets.UTF_8))) {
            for (String line = line(in); line != null; line = line(in)) {
                lines.take(Objects.requireNonNull(json.readValue(line, ArchivedVersion.class)));
            }
        } catch (JacksonException e) {
            throw new IOException("a file of the archive cannot be read: " + e.getOriginalMessage(), e);
        }
    }

    /** The next line, or null at the end; nobody knows how long one is that somebody else has written. */
    private static @Nullable String line(BufferedReader in) throws IOException {
        var line = new StringBuilder();
        for (int c = in.read(); c >= 0; c = in.read()) {
            if (c == '\n') {
                return line.toString();
            }
            if (line.length() >= LONGEST_LINE) {
                throw new IOException("a file of the archive is too long");
            }
            line.append((char) c);
        }
        return line.isEmpty() ? null : line.toString();
    }
}
