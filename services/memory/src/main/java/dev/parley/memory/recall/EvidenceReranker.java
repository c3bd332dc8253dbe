package dev.parley.memory.recall;

import dev.parley.domain.memory.FactType;
import dev.parley.memory.search.MessagePosition;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The default reranker: combines cosine similarity and BM25 scores, the fit of neighbouring messages, and the speaker.
 * Messages of people score higher than those of the agent, unless the query asks for what the agent said.
 */
public final class EvidenceReranker implements Reranker {
    private static final double BM25_WEIGHT = 0.35;
    private static final double NEIGHBOUR_WEIGHT = 0.2;
    private static final double CONNECTION_WEIGHT = 0.05;
    private static final double AGENT_PENALTY = 0.12;

    /** Queries that ask for what the agent said. */
    private static final Pattern ASKS_FOR_AGENT = Pattern.compile(
            "\\b(?:did|have|had|were|was) you\\b|\\byou (?:said|told|gave|suggested|recommended|mentioned|listed|explained|"
                    + "provided|proposed|advised|wrote|described|shared|showed|asked)\\b|\\byour (?:advice|answer|explanation|list|"
                    + "recommendations?|reply|response|suggestions?)\\b",
            Pattern.CASE_INSENSITIVE);

    @Override
    public double[] scores(RecallQuestion question, List<RecallCandidate> candidates) {
        double[] ownScores = ownScores(candidates);
        Map<MessagePosition, Double> messages = messages(candidates, ownScores);
        boolean wantsAgent = ASKS_FOR_AGENT.matcher(question.text()).find();
        double[] scores = new double[ownScores.length];
        for (int i = 0; i < ownScores.length; i++) {
            RecallCandidate candidate = candidates.get(i);
            double score = ownScores[i] + CONNECTION_WEIGHT * candidate.connection();
            MessagePosition position = candidate.item().place();
            if (position != null) {
                score = (score + NEIGHBOUR_WEIGHT * neighbours(messages, position)) / (1 + NEIGHBOUR_WEIGHT);
            }
            if (isAgents(candidate) && !wantsAgent) {
                score -= AGENT_PENALTY / (1 + NEIGHBOUR_WEIGHT);
            }
            scores[i] = Math.max(score, 0);
        }
        return scores;
    }

    private static boolean isAgents(RecallCandidate candidate) {
        return candidate.item().type() == FactType.EXPERIENCE;
    }

    /** An item without a vector gets the average similarity of the others. */
    private static double[] ownScores(List<RecallCandidate> candidates) {
        double bestBm25 =
                candidates.stream().mapToDouble(RecallCandidate::bm25).max().orElse(0);
        double average = candidates.stream()
                .mapToDouble(RecallCandidate::similarity)
                .filter(similarity -> !Double.isNaN(similarity))
                .average()
                .orElse(0);
        return candidates.stream()
                .mapToDouble(candidate -> {
                    double similarity = Double.isNaN(candidate.similarity()) ? average : candidate.similarity();
                    return similarity + (bestBm25 > 0 ? BM25_WEIGHT * candidate.bm25() / bestBm25 : 0);
                })
                .toArray();
    }

    /** The score of a message is that of its best passage. */
    private static Map<MessagePosition, Double> messages(List<RecallCandidate> candidates, double[] ownScores) {
        var messages = new HashMap<MessagePosition, Double>();
        for (int i = 0; i < ownScores.length; i++) {
            MessagePosition position = candidates.get(i).item().place();
            if (position != null) {
                messages.merge(position, ownScores[i], Math::max);
            }
        }
        return messages;
    }

    private static double neighbours(Map<MessagePosition, Double> messages, MessagePosition position) {
        return Math.max(messages.getOrDefault(position.plus(-1), 0.0), messages.getOrDefault(position.plus(1), 0.0));
    }
}
