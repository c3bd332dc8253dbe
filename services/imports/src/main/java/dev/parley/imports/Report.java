package dev.parley.imports;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.platform.json.JsonMappers;
import dev.parley.server.client.CommandException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts of an import, and the reasons for what was not imported. At most 200 reasons, with three examples each. */
final class Report {
    private static final int MAX_REASONS = 200;
    private static final int MAX_EXAMPLES = 3;
    private static final int MAX_EXAMPLE_LENGTH = 120;
    private static final ObjectMapper JSON = JsonMappers.stored();

    private final String source;
    private final boolean dry;
    private final Map<String, Counts> kinds = new LinkedHashMap<>();
    private final Map<Reason, Cases> skipped = new LinkedHashMap<>();
    private final Map<Reason, Cases> notes = new LinkedHashMap<>();
    private long unnamed;
    private boolean refused;

    /** @param dry whether nothing is created */
    Report(String source, boolean dry) {
        this.source = source;
        this.dry = dry;
    }

    private static final class Counts {
        private long created;
        private long existing;
        private long skipped;
    }

    private record Reason(String kind, String text) {}

    private static final class Cases {
        private final List<String> examples = new ArrayList<>();
        private long count;
    }

    /** Counts an object that was created now, or existed before. */
    void countCreatedOrExisting(boolean isNew, String kind) {
        if (isNew) {
            countCreated(kind);
        } else {
            countExisting(kind);
        }
    }

    /** Counts a created object, or the refusal to create it. */
    void countCreated(String kind, String example, ImportClient.Answer answer) {
        if (answer.isSuccess()) {
            countCreated(kind);
        } else {
            countRefused(kind, answer.detail(), example);
        }
    }

    /** Counts the object as refused if a request to change it failed. */
    void countRefusedIfFailed(String kind, String example, ImportClient.Answer answer) {
        if (!answer.isSuccess()) {
            countRefused(kind, answer.detail(), example);
        }
    }

    void countCreated(String kind) {
        counts(kind).created++;
    }

    void countExisting(String kind) {
        counts(kind).existing++;
    }

    void countSkipped(String kind, String reason, String example) {
        counts(kind).skipped++;
        add(skipped, new Reason(kind, reason), 1, example);
    }

    void countSkipped(String kind, String reason, long count) {
        if (count > 0) {
            counts(kind).skipped += count;
            add(skipped, new Reason(kind, reason), count, "");
        }
    }

    /** Counts an object that the server refused although it should have accepted it. */
    void countRefused(String kind, String reason, String example) {
        refused = true;
        countSkipped(kind, reason, example);
    }

    void note(String kind, String text, String example) {
        add(notes, new Reason(kind, text), 1, example);
    }

    /** Whether the server refused a request. */
    boolean isRefused() {
        return refused;
    }

    private Counts counts(String kind) {
        return kinds.computeIfAbsent(kind, _ -> new Counts());
    }

    private void add(Map<Reason, Cases> to, Reason reason, long count, String example) {
        Cases cases = to.get(reason);
        if (cases == null) {
            if (skipped.size() + notes.size() >= MAX_REASONS) {
                unnamed += count;
                return;
            }
            cases = new Cases();
            to.put(reason, cases);
        }
        cases.count += count;
        if (!example.isEmpty() && cases.examples.size() < MAX_EXAMPLES) {
            cases.examples.add(
                    example.length() <= MAX_EXAMPLE_LENGTH ? example : example.substring(0, MAX_EXAMPLE_LENGTH) + "…");
        }
    }

    /** Prints the report as text. */
    void print(PrintWriter out) {
        if (kinds.isEmpty() && notes.isEmpty()) {
            out.println("Nothing was read from " + source + ".");
            return;
        }
        out.println(dry ? "Nothing was made. This would be made from " + source + ":" : "From " + source + ":");
        kinds.forEach((kind, counts) -> out.printf(
                "  %-12s %6d %s %6d there already %6d not taken%n",
                kind, counts.created, dry ? "new" : "made", counts.existing, counts.skipped));
        print(out, "Not taken", skipped);
        print(out, "To know", notes);
        if (unnamed > 0) {
            out.printf("and %d more, for reasons that are not named here%n", unnamed);
        }
        out.flush();
    }

    private static void print(PrintWriter out, String title, Map<Reason, Cases> reasons) {
        if (!reasons.isEmpty()) {
            out.println(title + ":");
        }
        reasons.forEach((reason, cases) -> out.printf(
                "  %s: %s (%d%s)%n",
                reason.kind(),
                reason.text(),
                cases.count,
                cases.examples.isEmpty() ? "" : ": " + String.join(", ", cases.examples)));
    }

    /** Writes the report as JSON. */
    void write(Path file) {
        ObjectNode json = JSON.createObjectNode().put("source", source).put("dryRun", dry);
        ObjectNode counted = json.putObject("kinds");
        kinds.forEach((kind, counts) -> counted.putObject(kind)
                .put("made", counts.created)
                .put("there", counts.existing)
                .put("notTaken", counts.skipped));
        write(json.putArray("notTaken"), skipped);
        write(json.putArray("notes"), notes);
        json.put("unnamed", unnamed);
        try {
            Files.writeString(file, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(json) + "\n");
        } catch (IOException e) {
            throw new CommandException("The report cannot be written to " + file + ": " + e.getMessage(), e);
        }
    }

    private static void write(ArrayNode to, Map<Reason, Cases> reasons) {
        reasons.forEach((reason, cases) -> {
            ObjectNode entry = to.addObject()
                    .put("kind", reason.kind())
                    .put("reason", reason.text())
                    .put("count", cases.count);
            cases.examples.forEach(entry.putArray("examples")::add);
        });
    }
}
