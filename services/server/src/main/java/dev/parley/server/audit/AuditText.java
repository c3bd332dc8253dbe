package dev.parley.server.audit;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.domain.proof.Finding;
import dev.parley.domain.proof.Place;
import dev.parley.platform.json.JsonMappers;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Prints the result of an audit as text or JSON. */
public final class AuditText {
    private static final ObjectMapper JSON = JsonMappers.stored();

    private AuditText() {}

    /** Prints counts, then findings, the newest first. */
    public static void print(AuditResult result, PrintWriter out) {
        out.printf(
                "From %s to %s, as of %s.%n",
                result.range().from(), result.range().to(), result.range().now());
        result.proved().counts().forEach((group, counts) -> printCounts(group, "%,d %s", counts, out));
        printCounts("records", "%,d of %s", new TreeMap<>(result.read()), out);
        result.notes().forEach(note -> out.println("Note: " + note));
        if (result.isProved()) {
            out.println("Proved: everything that began in the range has exactly one outcome, or is in progress.");
        } else {
            printExceptions(result, out);
        }
    }

    private static void printCounts(String group, String format, Map<String, Long> counts, PrintWriter out) {
        out.printf(
                "  %-28s %s%n",
                group,
                counts.entrySet().stream()
                        .map(count -> format.formatted(count.getValue(), count.getKey()))
                        .collect(Collectors.joining(", ")));
    }

    private static void printExceptions(AuditResult result, PrintWriter out) {
        out.printf("%,d exceptions:%n", result.proved().total());
        result.proved().findingCounts().forEach((kind, count) -> out.printf("  %,d: %s%n", count, kind.text()));
        result.proved().newest().forEach(finding -> print(finding, out));
        long remaining = result.proved().total() - result.proved().newest().size();
        if (remaining > 0) {
            out.printf("… and %,d older ones: raise --limit, or narrow the range.%n", remaining);
        }
    }

    private static void print(Finding finding, PrintWriter out) {
        Place place = finding.place();
        out.printf(
                "%s  %s %s  session %s  %s/%d@%d%s%s%n",
                place.at(),
                finding.kind().code(),
                finding.id(),
                finding.session(),
                place.topic(),
                place.partition(),
                place.offset(),
                finding.other() == null
                        ? ""
                        : "  (with %s/%d@%d of %s)"
                                .formatted(
                                        finding.other().topic(),
                                        finding.other().partition(),
                                        finding.other().offset(),
                                        finding.other().at()),
                finding.detail().isEmpty() ? "" : "  " + finding.detail());
    }

    /** Prints the result as JSON. */
    public static void json(AuditResult result, PrintWriter out) throws IOException {
        ObjectNode json = JSON.createObjectNode()
                .put("from", result.range().from().toString())
                .put("to", result.range().to().toString())
                .put("asOf", result.range().now().toString())
                .put("proved", result.isProved())
                .put("exceptions", result.proved().total());
        ObjectNode kinds = json.putObject("found");
        result.proved().findingCounts().forEach((kind, count) -> kinds.put(kind.code(), count));
        json.set("counts", JSON.valueToTree(result.proved().counts()));
        json.set("read", JSON.valueToTree(new TreeMap<>(result.read())));
        json.set("notes", JSON.valueToTree(result.notes()));
        var newest = json.putArray("newest");
        result.proved().newest().forEach(finding -> put(newest.addObject(), finding));
        out.println(JSON.writerWithDefaultPrettyPrinter().writeValueAsString(json));
    }

    private static void put(ObjectNode json, Finding finding) {
        json.put("kind", finding.kind().code())
                .put("what", finding.kind().text())
                .put("id", finding.id())
                .put("session", finding.session())
                .put("detail", finding.detail());
        put(json, finding.place());
        if (finding.other() != null) {
            put(json.putObject("other"), finding.other());
        }
    }

    private static void put(ObjectNode json, Place place) {
        json.put("topic", place.topic())
                .put("partition", place.partition())
                .put("offset", place.offset())
                .put("at", place.at().toString());
    }
}
