package dev.lookout;

/**
 * What the completions of a goal are worth in one currency.
 *
 * @param currency such as EUR
 * @param amount the sum of their values
 * @param completions how many of them have a value in this currency
 */
public record Revenue(String currency, double amount, long completions) {}
