package dev.parley.server.sessionreplay;

import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.Opinion;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The turns to replay, and the agent under test.
 *
 * @param agent its name, or null
 * @param agentFile the file with its definition, or null; without either it is the agent of the first turn
 * @param model instead of the agent's own, or null
 * @param maxTurns maximum number of turns of a session
 * @param maxCost in dollars
 * @param out file for results, or null
 * @param suite file with expectations, or null
 * @param feedback {@code GOOD} or {@code BAD} for the turns of which somebody has this opinion, of all sessions where
 *     none is named; or null
 */
public record ReplayPlan(
        @Nullable String session,
        @Nullable String turns,
        @Nullable String agent,
        @Nullable Path agentFile,
        @Nullable String model,
        int maxTurns,
        Duration maxTime,
        long maxTokens,
        double maxCost,
        @Nullable Path out,
        @Nullable Path suite,
        @Nullable Double threshold,
        @Nullable Opinion feedback) {
    private static final Pattern RANGE = Pattern.compile("(\\d{1,9})(?:-(\\d{1,9}))?");
    private static final Pattern MODEL = Pattern.compile("[A-Za-z0-9_.-]+/\\S+");
    private static final int MAX_TURNS = 1_000;

    /** @throws IllegalArgumentException for contradictory options */
    public ReplayPlan {
        check(
                feedback == null ? (session == null) != (suite == null) : suite == null && turns == null,
                "Name a session, or pass --suite FILE, or --feedback good or bad with neither --suite nor --turns.");
        check(agent == null || agentFile == null, "--agent and --agent-file exclude each other.");
        check(suite == null || turns == null, "A suite names its turns: --turns cannot be used with it.");
        check(model == null || MODEL.matcher(model).matches(), "--model is provider/model, such as openai/gpt-5.");
        check(maxTurns >= 1 && maxTurns <= MAX_TURNS, "--limit is 1 to " + MAX_TURNS + ".");
        check(maxTokens > 0, "--max-tokens is at least 1.");
        check(maxCost > 0, "--max-cost is above 0.");
        check(threshold == null || (threshold >= 0 && threshold <= 1), "--threshold is 0 to 1.");
        check(threshold == null || suite != null || feedback != null, "--threshold requires --suite or --feedback.");
        check(turns == null || RANGE.matcher(turns).matches(), "--turns is a number or a range, such as 3 or 2-5.");
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }

    static RecordKey key(String text) {
        return text.contains("/") ? RecordKey.parse(text) : RecordKey.of(text);
    }

    /** The selected turns by session. */
    Map<RecordKey, Predicate<RecordedTurn>> selectTurns(@Nullable Suite parsed) {
        var selected = new LinkedHashMap<RecordKey, Predicate<RecordedTurn>>();
        if (parsed == null) {
            LongPredicate range = range();
            selected.put(key(session == null ? "" : session), turn -> range.test(turn.number()));
        } else {
            parsed.parts()
                    .forEach(part -> selected.merge(
                            key(part.key()), turn -> part.expectations().containsKey(turn.number()), Predicate::or));
        }
        return selected;
    }

    private LongPredicate range() {
        var match = RANGE.matcher(turns == null ? "" : turns);
        if (!match.matches()) {
            return _ -> true;
        }
        long first = Long.parseLong(match.group(1));
        long last = match.group(2) == null ? first : Long.parseLong(match.group(2));
        return number -> number >= first && number <= last;
    }
}
