package dev.parley.domain.proof;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;

/** Counters and findings of a verification. Keeps the newest findings up to a limit, and the total number. */
public final class VerificationReport {
    private final int maxFindings;
    private final Map<String, Map<String, Long>> counts = new TreeMap<>();
    private final Map<FindingKind, Long> found = new EnumMap<>(FindingKind.class);
    private final PriorityQueue<Finding> newest = new PriorityQueue<>(Finding.NEWEST_FIRST.reversed());

    /** @param maxFindings maximum findings kept, at least 1 */
    public VerificationReport(int maxFindings) {
        this.maxFindings = maxFindings;
    }

    /**
     * Increments a counter.
     *
     * @param group such as {@code turns}; {@code name} such as {@code completed}
     */
    public void count(String group, String name) {
        count(group, name, 1);
    }

    /** Adds to a counter. */
    public void count(String group, String name, long increment) {
        counts.computeIfAbsent(group, _ -> new TreeMap<>()).merge(name, increment, Long::sum);
    }

    void add(Finding finding) {
        found.merge(finding.kind(), 1L, Long::sum);
        newest.add(finding);
        if (newest.size() > maxFindings) {
            newest.poll();
        }
    }

    /** The counters by group. */
    public Map<String, Map<String, Long>> counts() {
        return counts;
    }

    /** The number of findings by kind. */
    public Map<FindingKind, Long> findingCounts() {
        return found;
    }

    /** The number of findings, including those not kept. */
    public long total() {
        return found.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The kept findings, newest first. */
    public List<Finding> newest() {
        var findings = new ArrayList<>(newest);
        findings.sort(Finding.NEWEST_FIRST);
        return findings;
    }
}
