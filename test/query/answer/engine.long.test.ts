import { sized } from "../../kit/random/sized.ts";
import { testEngine } from "./engineTests.ts";

testEngine(6, sized(26, 40));
