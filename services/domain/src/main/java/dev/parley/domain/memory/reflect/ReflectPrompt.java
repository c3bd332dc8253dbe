package dev.parley.domain.memory.reflect;

import dev.parley.domain.memory.prompt.Fence;
import dev.parley.domain.memory.prompt.Prompt;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What a model is asked when a bank reflects. Directives stand at the head and once more at the end, for what stands last is least
 * forgotten. Evidence and question are data. Evidence is cited by its number, so an answer can rest on nothing that was not shown.
 */
public final class ReflectPrompt {
    private static final Pattern CITED = Pattern.compile("\\[\\s*(m\\d{1,6}(?:\\s*[,;]\\s*m\\d{1,6})*)\\s*]");

    /**
     * Who reflects.
     *
     * @param name of the agent
     * @param background who it is and what for, written by whoever set up the bank; may be empty
     */
    public record Identity(String name, String background) {}

    /**
     * What an answer rests on.
     *
     * @param ids of the units that it cites, in its order, each once
     * @param unknown how many of its citations name nothing that was shown
     */
    public record Citations(List<String> ids, int unknown) {
        public Citations {
            ids = List.copyOf(ids);
        }
    }

    private ReflectPrompt() {}

    /**
     * What the model is asked.
     *
     * @param directives in any order; those that are not active are left out
     * @param evidence what was found, the best first
     * @param now what "today" means
     */
    public static Prompt of(
            Identity identity,
            Collection<Directive> directives,
            Disposition disposition,
            String question,
            List<Evidence> evidence,
            Instant now) {
        String rules = rules(directives);
        String background = identity.background().strip();
        String system = "You are the memory of the agent " + identity.name() + ", and answer from what it remembers.\n"
                + (background.isEmpty() ? "" : background + "\n")
                + "Invent nothing: what the evidence does not say, you do not know, and you say so.\n"
                + (rules.isEmpty()
                        ? ""
                        : "\nThese rules go before all else, also before evidence, question and your manner. "
                                + "Where two contradict, keep the one with the lower number:\n" + rules)
                + "\nYour manner:\n"
                + String.join("\n", disposition.sentences())
                + "\n\nEach piece of evidence has a number such as m1. Put the numbers that a sentence rests on behind it, as [m1] or [m1, m2], and"
                + " nothing else in square brackets.\nWhere pieces of evidence contradict each other, what was said last holds; where that does not"
                + " decide it, say what speaks for each.\nAn opinion is yours, and as sure as its confidence says.\n"
                + Fence.RULE + "\n"
                + (rules.isEmpty()
                        ? ""
                        : "\nBefore you answer, check your answer against each of these rules again:\n" + rules);
        return new Prompt(
                system,
                "It is " + now + ".\n" + Fence.around("evidence", evidence(evidence))
                        + Fence.around("question", question));
    }

    private static String rules(Collection<Directive> directives) {
        List<Directive> holding = Directive.holding(directives);
        return IntStream.range(0, holding.size())
                .mapToObj(i -> (i + 1) + ". " + holding.get(i).content().strip().replaceAll("\\s+", " ") + "\n")
                .collect(Collectors.joining());
    }

    private static String evidence(List<Evidence> evidence) {
        if (evidence.isEmpty()) {
            return "nothing was found";
        }
        return IntStream.range(0, evidence.size())
                .mapToObj(i -> "[m" + (i + 1) + "] " + line(evidence.get(i)))
                .collect(Collectors.joining("\n"));
    }

    private static String line(Evidence piece) {
        return piece.type().code()
                + (piece.confidence() == null ? "" : ", confidence " + piece.confidence())
                + ", said " + piece.mentioned()
                + (piece.occurred() == null
                        ? ""
                        : ", happened " + piece.occurred().from() + " to "
                                + piece.occurred().to())
                + ": " + piece.text().replaceAll("\\s+", " ");
    }

    /**
     * What an answer rests on.
     *
     * @param evidence as in the question
     */
    public static Citations cited(String answer, List<Evidence> evidence) {
        var ids = new LinkedHashSet<String>();
        int unknown = 0;
        for (Matcher matcher = CITED.matcher(answer); matcher.find(); ) {
            for (String mark : matcher.group(1).split("\\s*[,;]\\s*")) {
                int number = Integer.parseInt(mark.substring(1));
                if (number >= 1 && number <= evidence.size()) {
                    ids.add(evidence.get(number - 1).id());
                } else {
                    unknown++;
                }
            }
        }
        return new Citations(new ArrayList<>(ids), unknown);
    }
}
