import { sized } from "../../kit/random/sized.ts";
import { testEngine } from "./engineTests.ts";

testEngine(12, sized(26, 40));
