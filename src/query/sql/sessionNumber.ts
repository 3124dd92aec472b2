/**
 * A number for the pair of session_key and session_began, which together identify a session, because QuestDB counts
 * distinct values of one column only. The factor, from Knuth's MMIX generator, spreads the keys over all 64 bits, so
 * that collisions are rare.
 */
export const sessionNumberSql = "session_key * 6364136223846793005 + session_began";
