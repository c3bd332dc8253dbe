package dev.parley.workflows.jq;

import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;

/** Counters of one evaluation against its limits of steps, size and depth. */
final class EvaluationLimits {
    private final Jq.Limits limits;
    private long steps;
    private long size;
    private int depth;

    EvaluationLimits(Jq.Limits limits) {
        this.limits = limits;
    }

    /** Counts steps. */
    void step(long count) {
        steps += count;
        if (steps > limits.steps()) {
            throw new JqLimitException("the expression takes more than " + limits.steps() + " steps");
        }
    }

    /** Counts the size of a value before it is created. */
    void make(long count) {
        size += count;
        if (size > limits.size()) {
            throw new JqLimitException("the expression makes more than " + limits.size() + " characters and items");
        }
    }

    /** Checks a created value, which may contain the same value many times. */
    Json checkValue(Json value) {
        if (value.weight() > limits.size()) {
            throw new JqLimitException(
                    "the expression makes a value of more than " + limits.size() + " characters and items");
        }
        if (value.depth() > JsonText.MAX_DEPTH) {
            throw new JqLimitException(
                    "the expression makes a value that is nested more than " + JsonText.MAX_DEPTH + " levels deep");
        }
        return value;
    }

    void enter() {
        step(1);
        if (++depth > limits.depth()) {
            throw new JqLimitException("the expression calls itself more than " + limits.depth() + " levels deep");
        }
    }

    void leave() {
        depth--;
    }
}
