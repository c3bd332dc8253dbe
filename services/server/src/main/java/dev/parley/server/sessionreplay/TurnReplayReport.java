package dev.parley.server.sessionreplay;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.platform.json.JsonMappers;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The results of a replay. */
public final class TurnReplayReport {
    private static final ObjectMapper JSON = JsonMappers.stored();

    private final List<TurnResult> results;
    private final @Nullable Score score;
    private final double threshold;

    TurnReplayReport(List<TurnResult> results, @Nullable Score score, double threshold) {
        this.results = List.copyOf(results);
        this.score = score;
        this.threshold = threshold;
    }

    /**
     * Whether the suite reaches its threshold; without a suite, whether there were turns and each was answered.
     */
    public boolean isGood() {
        return score == null
                ? !results.isEmpty() && results.stream().allMatch(TurnResult::isAnswered)
                : score.share() >= threshold;
    }

    /** Prints the report as text. */
    public void print(PrintWriter out) {
        results.forEach(result -> TurnDiff.text(result).forEach(out::println));
        if (results.isEmpty()) {
            out.println("No ended turn was selected.");
        } else {
            out.printf(
                    "%d turns, %d answered, %d with the same reply, %d calls not recorded.%n",
                    results.size(),
                    results.stream().filter(TurnResult::isAnswered).count(),
                    results.stream().filter(TurnReplayReport::isSame).count(),
                    results.stream().mapToInt(TurnReplayReport::notRecorded).sum());
        }
        if (score != null) {
            score.all().stream()
                    .filter(checked -> !checked.met())
                    .forEach(checked ->
                            out.printf("NOT MET  %s turn %d: %s%n", checked.session(), checked.turn(), checked.what()));
            out.printf(
                    "Score %.3f: %d of %d expectations are met; %.3f is required.%n",
                    score.share(), score.met(), score.all().size(), threshold);
        }
    }

    private static boolean isSame(TurnResult result) {
        return result.replayed() != null
                && result.replayed().answer().reply().equals(result.recorded().reply());
    }

    private static int notRecorded(TurnResult result) {
        return result.replayed() == null ? 0 : result.replayed().notRecorded();
    }

    /** Prints the report as JSON. */
    public void json(PrintWriter out) throws IOException {
        ObjectNode json = JSON.createObjectNode().put("good", isGood());
        json.set("turns", JSON.valueToTree(results));
        if (score != null) {
            ObjectNode suite = json.putObject("suite")
                    .put("score", score.share())
                    .put("threshold", threshold)
                    .put("met", score.met())
                    .put("of", score.all().size());
            suite.set("expectations", JSON.valueToTree(score.all()));
        }
        out.println(JSON.writerWithDefaultPrettyPrinter().writeValueAsString(json));
    }
}
